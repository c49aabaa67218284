/** The service behind the gateways: it acts, and remembers each time that it did. */
@NullMarked
package dev.semel.torture.ledger;

import org.jspecify.annotations.NullMarked;
