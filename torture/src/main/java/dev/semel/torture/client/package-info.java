/** Those who call: impatient, careless, and writing down everything that they see. */
@NullMarked
package dev.semel.torture.client;

import org.jspecify.annotations.NullMarked;
