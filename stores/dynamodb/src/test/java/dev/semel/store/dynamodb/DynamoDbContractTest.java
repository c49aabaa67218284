package dev.semel.store.dynamodb;

import dev.semel.core.store.KeyStore;
import dev.semel.testkit.HandClock;
import dev.semel.testkit.IndexedKeyStoreContract;
import dev.semel.testkit.SemelContract;
import dev.semel.testkit.SkewContract;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** All published contracts, each on a table of its own. */
@ExtendWith(SharedServer.class)
class DynamoDbContractTest {
    private static final HandClock CLOCK = new HandClock();
    private static KeyStore ofStore;
    private static KeyStore ofEngine;

    @BeforeAll
    static void open() {
        ofStore = Tables.freshStore(CLOCK);
        ofEngine = Tables.freshStore(CLOCK);
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

    @Nested
    class OfClocksThatDiffer extends SkewContract {
        private final List<KeyStore> opened = new ArrayList<>();
        private String table;


        private String table() {
            if (table == null) table = Tables.withoutTtl(SharedServer.get().endpoint());
            return table;
        }

        @Override
        protected KeyStore store(Clock clock, Duration skew) {
            URI endpoint = SharedServer.get().endpoint();
            KeyStore store =
                    DynamoDbKeyStore.open(Tables.url(endpoint, table()), Tables.PATIENT.withSkew(skew), clock);
            opened.add(store);
            return store;
        }

        @AfterEach
        void closeStores() {
            opened.forEach(KeyStore::close);
        }
    }
}
