/** The words of the contract: what a key is, what is known about it, and the states of its life. */
@NullMarked
package dev.semel.core.key;

import org.jspecify.annotations.NullMarked;
