/** A sample payment API that charges every time it is called: the kind of service that Semel stands in front of. */
@NullMarked
package dev.semel.examples.payments;

import org.jspecify.annotations.NullMarked;
