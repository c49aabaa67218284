package dev.semel.testkit;

import dev.semel.core.store.KeyStore;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/** The contract of a store that has an index, too. A store without one extends {@link KeyStoreContract} alone. */
public abstract class IndexedKeyStoreContract extends KeyStoreContract {
    /** What it can do with many keys. */
    @Nested
    public class Index extends KeyIndexContract {
        @Override
        protected KeyStore store() {
            return IndexedKeyStoreContract.this.store();
        }

        @Override
        protected void pass(Duration time) {
            IndexedKeyStoreContract.this.pass(time);
        }
    }
}
