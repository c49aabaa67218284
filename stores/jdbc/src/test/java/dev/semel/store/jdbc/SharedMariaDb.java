package dev.semel.store.jdbc;

import dev.semel.testkit.mariadb.MariaDbServer;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** One MariaDB for the whole run. Nobody pulls its plug, so it need not wait for the disk. */
final class SharedMariaDb implements BeforeAllCallback, AutoCloseable {
    private static Folder folder;
    private static MariaDbServer server;

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(Namespace.GLOBAL).getOrComputeIfAbsent(SharedMariaDb.class, key -> this);
    }

    /** The address of an empty database that nobody else has. */
    static synchronized String freshDatabase() throws SQLException {
        if (server == null) {
            folder = Folder.inTarget();
            server = MariaDbServer.start(folder.path(), "--innodb-flush-log-at-trx-commit=0", "--max-connections=300");
        }
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        Sql.on(server.jdbcUrl()).execute("create database " + name);
        return server.jdbcUrl(name);
    }

    static synchronized int port() {
        return server.port();
    }

    @Override
    public void close() {
        synchronized (SharedMariaDb.class) {
            if (server == null) return;
            server.close();
            folder.close();
            server = null;
        }
    }
}
