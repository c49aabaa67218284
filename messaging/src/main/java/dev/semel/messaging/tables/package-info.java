/** The tables of messaging, and all that is said to the database about them. */
@NullMarked
package dev.semel.messaging.tables;

import org.jspecify.annotations.NullMarked;
