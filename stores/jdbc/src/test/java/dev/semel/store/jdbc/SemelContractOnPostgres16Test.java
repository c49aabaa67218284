package dev.semel.store.jdbc;

import dev.semel.core.store.KeyStore;
import dev.semel.testkit.SemelContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServers.class)
class SemelContractOnPostgres16Test extends SemelContract {
    private static ContractDatabase database;

    @BeforeAll
    static void open() throws Exception {
        database = ContractDatabase.on(PostgresVersion.V16);
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Override
    protected KeyStore store() {
        return database.store();
    }

    @Override
    protected void pass(Duration time) {
        database.pass(time);
    }
}
