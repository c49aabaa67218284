package dev.semel.bench.storage;

import dev.semel.core.store.KeyStore;
import dev.semel.store.jdbc.MariaDbKeyStore;
import dev.semel.testkit.mariadb.MariaDbServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** MariaDB: the pages of the table and its indexes, on InnoDB with its default row format. */
final class MariaDbMeasured implements MeasuredStore {
    private final MariaDbServer server;
    private @Nullable KeyStore open;

    MariaDbMeasured(Path folder) {
        this.server = MariaDbServer.start(
                folder.resolve("mariadb"), "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=512M");
    }

    @Override
    public KeyStore openEmpty() throws SQLException {
        if (open == null) open = MariaDbKeyStore.open(server.jdbcUrl());
        run("truncate table semel_key");
        return open;
    }

    @Override
    public long bytes() throws SQLException {
        run("analyze table semel_key");
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("select data_length + index_length from information_schema.tables"
                                + " where table_schema = 'semel' and table_name = 'semel_key'")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** The room of the outcomes is still there, for others; so the table is written anew. */
    @Override
    public long bytesAfterStripping() throws SQLException {
        run("optimize table semel_key");
        return bytes();
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public String how() {
        return "MariaDB 11.4, pages of table and indexes; tombstones after an optimize";
    }

    @Override
    public void close() {
        if (open != null) open.close();
        server.close();
    }
}
