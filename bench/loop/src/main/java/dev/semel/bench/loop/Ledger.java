package dev.semel.bench.loop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** What every measured operation does in the database, whoever sees to it that it happens once: rows, and a receipt. */
public final class Ledger {
    public static final String TABLE = """
        create table ledger (
            id bigint generated always as identity primary key, account text not null, amount bigint not null)
        """;

    public static final String RECEIPT = """
        {"id":"ch_3f9d2c7a41b84e6f","object":"charge","amount":1999,"currency":"eur","customer":"cus_7f3a9b21",\
        "status":"succeeded","captured":true,"created":1767225600,"receipt":"https://pay.example/r/3f9d2c7a4"}\
        """;

    private static final String INSERT = "insert into ledger (account, amount) values (?, ?)";

    private Ledger() {}

    /** Work inside a transaction. */
    @FunctionalInterface
    public interface Work {
        String run(Connection transaction) throws Exception;
    }

    /** Adds a row, in a transaction that its owner commits. */
    public static String charge(Connection transaction, String account) throws SQLException {
        return charge(transaction, account, 1);
    }

    /** Adds so many rows, one after the other, in a transaction that its owner commits. */
    public static String charge(Connection transaction, String account, int rows) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement(INSERT)) {
            for (int i = 0; i < rows; i++) {
                insert.setString(1, account);
                insert.setLong(2, 1999);
                insert.executeUpdate();
            }
        }
        return RECEIPT;
    }

    /** Does this work in a transaction of its own, and commits it. */
    public static String transact(DataSource pool, Work work) throws Exception {
        try (Connection transaction = pool.getConnection()) {
            transaction.setAutoCommit(false);
            String receipt = work.run(transaction);
            transaction.commit();
            return receipt;
        }
    }

    /** Adds so many rows in a transaction of its own; without rows, does nothing at all. */
    public static String chargeAlone(DataSource pool, String account, int rows) throws Exception {
        return rows == 0 ? RECEIPT : transact(pool, transaction -> charge(transaction, account, rows));
    }

    /** Fails when this is not what the operation answers. */
    public static void check(String receipt) {
        if (!receipt.equals(RECEIPT)) throw new IllegalStateException("Another receipt: " + receipt);
    }
}
