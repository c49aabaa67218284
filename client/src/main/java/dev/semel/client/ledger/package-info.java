/** What a client has written down: the calls that have no definitive answer yet, and the answers of those that have. */
@NullMarked
package dev.semel.client.ledger;

import org.jspecify.annotations.NullMarked;
