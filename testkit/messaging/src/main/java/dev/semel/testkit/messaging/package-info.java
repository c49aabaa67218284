/** Laws for what messaging is built of, to be extended by the tests of each broker. */
@NullMarked
package dev.semel.testkit.messaging;

import org.jspecify.annotations.NullMarked;
