package dev.semel.store.dynamodb;

import java.time.Duration;

/**
 * How a {@link DynamoDbKeyStore} uses its table.
 *
 * @param createTable whether to make the table when it is missing: on demand, with TTL on
 * @param acceptLoss whether to open a global table whose regions do not see each other's writes at once
 * @param skew by how much the clocks of all processes on this table may differ from each other, at most
 * @param sweepUnits how many capacity units a second the sweep of this process may use, reads and writes together; 0: it
 *     does nothing
 * @param strip whether the sweep removes outcomes past their retention from items that are still remembered
 * @param connections how many connections it keeps, at most
 * @param connectTimeout how long a call waits for one of them, and for a new one to be made
 * @param answerTimeout how long the server may be silent before an answer counts as lost
 * @param callTimeout how long a call takes in all, at most, with credentials to be fetched and throttled attempts
 */
public record DynamoDbOptions(
        boolean createTable,
        boolean acceptLoss,
        Duration skew,
        int sweepUnits,
        boolean strip,
        int connections,
        Duration connectTimeout,
        Duration answerTimeout,
        Duration callTimeout) {

    public static final DynamoDbOptions DEFAULT = new DynamoDbOptions(
            false,
            false,
            Duration.ofSeconds(10),
            25,
            true,
            128,
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofMillis(3500));

    public DynamoDbOptions {
        if (sweepUnits < 0) throw new IllegalArgumentException("The sweep cannot use less than 0 units a second.");
        if (connections < 1)
            throw new IllegalArgumentException("There must be at least one connection, not " + connections + ".");
        requirePositive(connectTimeout);
        requirePositive(answerTimeout);
        if (callTimeout.compareTo(answerTimeout) <= 0)
            throw new IllegalArgumentException("A call must be given longer than the server, not " + callTimeout + ".");
    }

    private static void requirePositive(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero())
            throw new IllegalArgumentException("A timeout is longer than zero, not " + timeout + ".");
    }

    public DynamoDbOptions withCreateTable(boolean createTable) {
        return new DynamoDbOptions(
                createTable,
                acceptLoss,
                skew,
                sweepUnits,
                strip,
                connections,
                connectTimeout,
                answerTimeout,
                callTimeout);
    }

    public DynamoDbOptions withAcceptLoss(boolean acceptLoss) {
        return new DynamoDbOptions(
                createTable,
                acceptLoss,
                skew,
                sweepUnits,
                strip,
                connections,
                connectTimeout,
                answerTimeout,
                callTimeout);
    }

    public DynamoDbOptions withSkew(Duration skew) {
        return new DynamoDbOptions(
                createTable,
                acceptLoss,
                skew,
                sweepUnits,
                strip,
                connections,
                connectTimeout,
                answerTimeout,
                callTimeout);
    }

    public DynamoDbOptions withSweepUnits(int sweepUnits) {
        return new DynamoDbOptions(
                createTable,
                acceptLoss,
                skew,
                sweepUnits,
                strip,
                connections,
                connectTimeout,
                answerTimeout,
                callTimeout);
    }

    public DynamoDbOptions withStrip(boolean strip) {
        return new DynamoDbOptions(
                createTable,
                acceptLoss,
                skew,
                sweepUnits,
                strip,
                connections,
                connectTimeout,
                answerTimeout,
                callTimeout);
    }

    public DynamoDbOptions withConnections(int connections) {
        return new DynamoDbOptions(
                createTable,
                acceptLoss,
                skew,
                sweepUnits,
                strip,
                connections,
                connectTimeout,
                answerTimeout,
                callTimeout);
    }

    /** How long to wait for a connection, for an answer on it, and in all. */
    public DynamoDbOptions withTimeouts(Duration connect, Duration answer, Duration call) {
        return new DynamoDbOptions(
                createTable, acceptLoss, skew, sweepUnits, strip, connections, connect, answer, call);
    }
}
