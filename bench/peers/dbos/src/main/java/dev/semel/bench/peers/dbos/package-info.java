/** DBOS Transact for Java, as a user would call it for one idempotent operation. */
@NullMarked
package dev.semel.bench.peers.dbos;

import org.jspecify.annotations.NullMarked;
