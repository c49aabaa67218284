package dev.semel.store.dynamodb;

import dev.semel.core.store.KeyStore;
import dev.semel.testkit.HandClock;
import dev.semel.testkit.IndexedKeyStoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
class KeyStoreContractOnDynamoDbTest extends IndexedKeyStoreContract {
    private final HandClock clock = new HandClock();
    private DynamoDbKeyStore store;

    @BeforeEach
    void open() {
        store = Tables.freshStore(clock);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    protected KeyStore store() {
        return store;
    }

    @Override
    protected void pass(Duration time) {
        clock.advance(time);
    }
}
