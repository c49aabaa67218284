package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.semel.core.store.KeyStore;
import dev.semel.testkit.IndexedKeyStoreContract;
import dev.semel.testkit.SemelContract;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Both contracts on H2, each with a database of its own. */
class H2ContractTest {
    private static MicrosDatabase ofStore;
    private static MicrosDatabase ofEngine;

    @BeforeAll
    static void open() {
        ofStore = database();
        ofEngine = database();
    }

    private static MicrosDatabase database() {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        return new MicrosDatabase(url, JdbcKeyStore.open(url));
    }

    @AfterAll
    static void close() {
        ofStore.store().close();
        ofEngine.store().close();
    }

    @Test
    void tables_are_made_once() {
        String url = database().url();
        assertEquals("", JdbcKeyStore.missingSql(url));
        JdbcKeyStore.open(url).close();
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
