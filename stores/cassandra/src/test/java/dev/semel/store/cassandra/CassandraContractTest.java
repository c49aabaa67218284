package dev.semel.store.cassandra;

import dev.semel.core.store.KeyStore;
import dev.semel.testkit.HandClock;
import dev.semel.testkit.IndexedKeyStoreContract;
import dev.semel.testkit.SemelContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** Both contracts, each in a keyspace of its own. Time passes by the clock of the client. */
@ExtendWith(SharedServer.class)
class CassandraContractTest {
    private static final HandClock CLOCK = new HandClock();
    private static CassandraKeyStore ofStore;
    private static CassandraKeyStore ofEngine;

    @BeforeAll
    static void open() {
        ofStore = CassandraKeyStore.open(SharedServer.freshUrl(), SharedServer.PATIENT, CLOCK);
        ofEngine = CassandraKeyStore.open(SharedServer.freshUrl(), SharedServer.PATIENT, CLOCK);
    }

    @AfterAll
    static void close() {
        ofStore.close();
        ofEngine.close();
    }

    @Nested
    class OfTheStore extends IndexedKeyStoreContract {
        @Override
        protected KeyStore store() {
            return ofStore;
        }

        @Override
        protected void pass(Duration time) {
            CLOCK.advance(time);
        }
    }

    @Nested
    class OfTheEngine extends SemelContract {
        @Override
        protected KeyStore store() {
            return ofEngine;
        }

        @Override
        protected void pass(Duration time) {
            CLOCK.advance(time);
        }
    }
}
