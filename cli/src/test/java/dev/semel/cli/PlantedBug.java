package dev.semel.cli;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.JoiningKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Next;
import java.time.Duration;

/** Mistakes that were made in real systems, planted between a gateway and its store. */
enum PlantedBug {
    /** A swap that does not look at what is there. */
    NO_TOKEN_CHECK {
        @Override
        KeyStore in(KeyStore store) {
            return new ForwardingKeyStore(store) {
                @Override
                public Replaced replace(KeyRecord seen, Change change) {
                    return force(store, seen, change);
                }
            };
        }
    },
    /** No answer is taken for a no. */
    RELEASE_ON_TIME_OUT {
        @Override
        KeyStore in(KeyStore store) {
            return new ForwardingKeyStore(store) {
                @Override
                public Replaced replace(KeyRecord seen, Change change) {
                    if (!(change.next() instanceof Next.InDoubt)) return store.replace(seen, change);
                    return store.replace(seen, Change.of(seen, new Next.Free(Duration.ofHours(1))));
                }
            };
        }
    },
    /** The answer leaves before its outcome is on disk. */
    ANSWER_BEFORE_DURABLE {
        @Override
        KeyStore in(KeyStore store) {
            return new WriteBehindStore(store);
        }
    },
    /** A holder renews and completes by the name of the key alone, however late. */
    COMPLETE_BY_NAME {
        @Override
        KeyStore in(KeyStore store) {
            return new ForwardingKeyStore(store) {
                @Override
                public Replaced replace(KeyRecord seen, Change change) {
                    if (change.next() instanceof Next.Done) return force(store, seen, change);
                    Replaced replaced = store.replace(seen, change);
                    boolean renewal = change.next() instanceof Next.Held held && held.heldSince() != null;
                    return renewal && replaced instanceof Replaced.Moved
                            ? new Replaced.Swapped(change.after(seen, store.now()))
                            : replaced;
                }
            };
        }
    },
    /** In a transaction of its own, whoever comes runs, and the last one is right. */
    JOIN_WITHOUT_LOCK {
        @Override
        KeyStore in(KeyStore store) {
            return new ForwardingKeyStore(store) {
                @Override
                public JoiningKeyStore joining() {
                    return new UnlockedJoining(store);
                }
            };
        }
    };

    abstract KeyStore in(KeyStore store);

    /** Writes over whatever is there now. */
    private static KeyStore.Replaced force(KeyStore store, KeyRecord seen, Change change) {
        KeyRecord from = seen;
        while (true) {
            KeyStore.Replaced replaced = store.replace(from, change);
            if (!(replaced instanceof KeyStore.Replaced.Moved moved) || moved.current() == null) return replaced;
            from = moved.current().record();
        }
    }
}
