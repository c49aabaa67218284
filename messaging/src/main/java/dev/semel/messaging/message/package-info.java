/** What is sent: a message as it is appended, and as it goes out; and what may be in it. */
@NullMarked
package dev.semel.messaging.message;

import org.jspecify.annotations.NullMarked;
