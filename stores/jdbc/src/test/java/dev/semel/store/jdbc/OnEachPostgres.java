package dev.semel.store.jdbc;

import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that run on every version. A class has one server of each; every test makes databases of its own on it. */
@ParameterizedClass
@EnumSource
abstract class OnEachPostgres {
    @TempDir(factory = InTarget.class)
    static Path folder;

    static PostgresServer server;

    @Parameter
    PostgresVersion version;

    private final List<PostgresKeyStore> opened = new ArrayList<>();

    @BeforeParameterizedClassInvocation
    static void startServer(PostgresVersion version) throws IOException {
        server = version.start(folder.resolve(version.name()), "max_connections=200");
    }

    @AfterParameterizedClassInvocation
    static void endServer() {
        server.close();
    }

    @AfterEach
    void closeStores() {
        opened.forEach(PostgresKeyStore::close);
    }

    /** The address of an empty database that nobody else has. */
    static String freshDatabase() throws SQLException {
        return Sql.on(server.jdbcUrl()).freshDatabase(server);
    }

    PostgresKeyStore open(String url) {
        return open(url, PostgresOptions.DEFAULT);
    }

    PostgresKeyStore open(String url, PostgresOptions options) {
        PostgresKeyStore store = PostgresKeyStore.open(url, options);
        opened.add(store);
        return store;
    }
}
