package dev.semel.examples.withoutkey;

import dev.semel.store.jdbc.effect.Fence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Balances. */
public final class Accounts {
    private static final Fence ACCOUNTS = Fence.named("accounts");

    public boolean setBalance(Connection connection, String account, long cents, long version) throws SQLException {
        return switch (ACCOUNTS.enter(connection, account, version)) {
            case Fence.Passed it -> set(connection, account, cents);
            case Fence.Stale it -> false; // a later write has been made: answer 409, and change nothing
        };
    }

    public boolean set(Connection connection, String account, long cents) throws SQLException {
        return run(connection, "update account set cents = ? where id = ?", cents, account) == 1;
    }

    public void add(Connection connection, String account, long cents) throws SQLException {
        run(connection, "update account set cents = cents + ? where id = ?", cents, account);
    }

    private static int run(Connection connection, String sql, long cents, String account) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, cents);
            statement.setString(2, account);
            return statement.executeUpdate();
        }
    }
}
