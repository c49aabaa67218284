package dev.semel.store.redis;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.testkit.LinearizabilityCheck;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("Lincheck changes classes while it looks at them")
@ExtendWith(SharedServer.class)
class RedisLinearizabilityTest {
    private static KeyStore store;

    @BeforeAll
    static void open() {
        store = new FromTheFirstRevision(RedisKeyStore.open(SharedServer.freshUrl(), RedisContractTest.LONG_TIMEOUTS));
    }

    @AfterAll
    static void close() {
        store.close();
    }

    @Test
    void inserts_swaps_and_looks_are_linearizable() {
        LinearizabilityCheck.run(OnRedis.class, 8);
    }

    public static class OnRedis extends LinearizabilityCheck {
        public OnRedis() {
            super(store);
        }
    }

    /**
     * The check knows revisions by a clock that stands still, and the clock of a server does not. So this counts revisions
     * from the first of each key, which the token of its record keeps.
     */
    private static final class FromTheFirstRevision extends ForwardingKeyStore {
        private static final long FIRST = NewKey.firstToken(LinearizabilityCheck.CLOCK.instant());
        private final Map<KeyId, Long> firsts = new ConcurrentHashMap<>();

        FromTheFirstRevision(KeyStore store) {
            super(store);
        }

        @Override
        public Inserted insert(NewKey key) {
            return switch (super.insert(key)) {
                case Inserted.Fresh(KeyRecord record) -> new Inserted.Fresh(counted(record));
                case Inserted.Existing(Seen seen) -> new Inserted.Existing(counted(seen));
                case Inserted.Busy it -> it;
            };
        }

        @Override
        public Replaced replace(KeyRecord seen, Change change) {
            Long first = firsts.get(seen.id());
            long known = first == null ? 0 : first;
            KeyRecord real = new KeyRecord(
                    seen.id(),
                    seen.fingerprint(),
                    known,
                    1,
                    known + seen.revision() - FIRST,
                    seen.since(),
                    seen.state());
            Replaced answer = super.replace(real, Change.of(real, change.next()));
            if (answer instanceof Replaced.Moved(@Nullable Seen current) && current != null && first == null) {
                counted(current);
                return replace(seen, change);
            }
            return switch (answer) {
                case Replaced.Swapped(KeyRecord record) -> new Replaced.Swapped(counted(record));
                case Replaced.Moved(Seen current) -> new Replaced.Moved(current == null ? null : counted(current));
            };
        }

        @Override
        public @Nullable Seen find(KeyId id) {
            Seen seen = super.find(id);
            return seen == null ? null : counted(seen);
        }

        private Seen counted(Seen seen) {
            return new Seen(counted(seen.record()), seen.now());
        }

        private KeyRecord counted(KeyRecord it) {
            firsts.put(it.id(), it.token());
            long revision = FIRST + it.revision() - it.token();
            return new KeyRecord(it.id(), it.fingerprint(), FIRST, it.attempt(), revision, it.since(), it.state());
        }
    }
}
