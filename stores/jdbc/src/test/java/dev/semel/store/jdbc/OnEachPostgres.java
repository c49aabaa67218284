package dev.semel.store.jdbc;

import dev.semel.testkit.postgres.PostgresServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that run on every version. Each makes databases of its own on a server that it shares with the others. */
@ParameterizedClass
@EnumSource
@ExtendWith(SharedServers.class)
abstract class OnEachPostgres {
    @Parameter
    PostgresVersion version;

    private final List<PostgresKeyStore> opened = new ArrayList<>();

    PostgresServer server() {
        return SharedServers.of(version);
    }

    /** The address of an empty database that nobody else has. */
    String freshDatabase() throws SQLException {
        return Sql.freshDatabase(server());
    }

    PostgresKeyStore open(String url) {
        return open(url, ContractDatabase.LONG_TIMEOUTS.withPoolSize(4));
    }

    PostgresKeyStore open(String url, JdbcOptions options) {
        PostgresKeyStore store = PostgresKeyStore.open(url, options);
        opened.add(store);
        return store;
    }

    @AfterEach
    void closeStores() {
        opened.forEach(PostgresKeyStore::close);
    }
}
