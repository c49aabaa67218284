package dev.semel.core.claim;

import java.sql.Connection;

/**
 * The database transaction that a claim is a part of.
 *
 * @param connection has the transaction open
 * @param endsWithOutcome whether the outcome is its last word, and commits it; otherwise its owner commits it. Without an
 *     outcome its owner always ends it: what is not recorded is rolled back
 */
public record JoinedTransaction(Connection connection, boolean endsWithOutcome) {}
