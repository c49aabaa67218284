package dev.semel.walls;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.move.MoveMark;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;

/** What a move may get wrong about the store that keys leave. */
enum PlantedMove {
    /** A key that nobody knows is granted in the new store, and the store before knows nothing of it. */
    FRESH_KEYS_ARE_NOT_SEALED {
        @Override
        KeyStore in(KeyStore before) {
            return new ForwardingKeyStore(before) {
                @Override
                public Inserted insert(NewKey key) {
                    var seen = behind().find(key.id());
                    return seen == null ? new Inserted.Fresh(key.at(behind().now())) : new Inserted.Existing(seen);
                }
            };
        }
    },
    /** A record is taken over, and stays where it was. */
    RECORDS_ARE_NOT_SEALED {
        @Override
        KeyStore in(KeyStore before) {
            return new ForwardingKeyStore(before) {
                @Override
                public Replaced replace(KeyRecord seen, Change change) {
                    KeyRecord after = change.after(seen, behind().now());
                    return MoveMark.isLeft(after) ? new Replaced.Swapped(after) : behind().replace(seen, change);
                }
            };
        }
    },
    /** The seal has the token of the key: whoever held it is still heard. */
    SEALS_KEEP_THE_TOKEN {
        @Override
        KeyStore in(KeyStore before) {
            return new ForwardingKeyStore(before) {
                @Override
                public Replaced replace(KeyRecord seen, Change change) {
                    boolean seals = MoveMark.isLeft(change.after(seen, behind().now()))
                            && !(seen.state() instanceof KeyState.Held held
                                    && change.next() instanceof Next.Held next
                                    && held.holder().equals(next.holder()));
                    return behind().replace(seen, seals ? lower(change) : change);
                }
            };
        }

        private Change lower(Change change) {
            return new Change(
                    change.fingerprint(),
                    change.token() - 1,
                    change.attempt(),
                    change.remote(),
                    change.memo(),
                    change.history(),
                    change.next());
        }
    };

    /** The store before, as a move with this mistake has it. */
    abstract KeyStore in(KeyStore before);
}
