package dev.semel.store.jdbc;

import dev.semel.core.store.KeyStore;
import dev.semel.testkit.IndexedKeyStoreContract;
import dev.semel.testkit.SemelContract;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** Both contracts on MariaDB, each with a database of its own. */
@ExtendWith(SharedMariaDb.class)
class MariaDbContractTest {
    private static MicrosDatabase ofStore;
    private static MicrosDatabase ofEngine;

    @BeforeAll
    static void open() throws SQLException {
        ofStore = database();
        ofEngine = database();
    }

    private static MicrosDatabase database() throws SQLException {
        String url = SharedMariaDb.freshDatabase();
        return new MicrosDatabase(url, MariaDbKeyStore.open(url, ContractDatabase.LONG_TIMEOUTS));
    }

    @AfterAll
    static void close() {
        ofStore.store().close();
        ofEngine.store().close();
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
