package dev.semel.store.jdbc;

import dev.semel.core.store.KeyStore;
import dev.semel.testkit.IndexedKeyStoreContract;
import dev.semel.testkit.SemelContract;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Both contracts on every version of PostgreSQL, each with a database of its own. */
@ParameterizedClass
@EnumSource
@ExtendWith(SharedServers.class)
class PostgresContractTest {
    private static ContractDatabase ofStore;
    private static ContractDatabase ofEngine;

    @Parameter
    PostgresVersion version;

    @BeforeParameterizedClassInvocation
    static void open(PostgresVersion version) throws SQLException {
        ofStore = ContractDatabase.on(version);
        ofEngine = ContractDatabase.on(version);
    }

    @AfterParameterizedClassInvocation
    static void close() {
        ofStore.close();
        ofEngine.close();
    }

    @Nested
    class OfTheStore extends IndexedKeyStoreContract {
        @Override
        protected KeyStore store() {
            return ofStore.store();
        }

        @Override
        protected void pass(Duration time) {
            ofStore.pass(time);
        }
    }

    @Nested
    class OfTheEngine extends SemelContract {
        @Override
        protected KeyStore store() {
            return ofEngine.store();
        }

        @Override
        protected void pass(Duration time) {
            ofEngine.pass(time);
        }
    }
}
