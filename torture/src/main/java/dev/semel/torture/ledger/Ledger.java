package dev.semel.torture.ledger;

import dev.semel.torture.RunClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What the service has done, by key. It checks fencing tokens as an upstream should: a lower one than the highest it has
 * accepted for the key is refused. Beyond that it does whatever it is asked to, as often as it is asked, for it is here to
 * count. Safe for use by any thread.
 */
final class Ledger implements AutoCloseable {
    private final RunClock clock;
    private final LedgerFile file;
    private final ConcurrentHashMap<String, Account> accounts = new ConcurrentHashMap<>();

    /** The first and the latest thing done under a key. */
    private record Account(Entry first, long highestToken) {}

    private Ledger(LedgerFile file, RunClock clock) {
        this.file = file;
        this.clock = clock;
    }

    /** Goes on where the last process with this file stopped. */
    static Ledger open(Path path, RunClock clock) throws IOException {
        Ledger ledger = new Ledger(LedgerFile.append(path), clock);
        LedgerFile.read(path, ledger::know);
        return ledger;
    }

    private void know(Entry entry) {
        if (!entry.accepted()) return;
        accounts.merge(
                entry.key(),
                new Account(entry, entry.token()),
                (known, now) -> new Account(known.first(), Math.max(known.highestToken(), now.highestToken())));
    }

    /**
     * Acts, or refuses to. It is in the file when this returns.
     *
     * @param repeatsAreOne whether a repeat is answered like the first, as an effect that is idempotent on its key does
     */
    Entry act(String key, int payload, long token, int attempt, boolean repeatsAreOne) {
        Entry[] made = new Entry[1];
        accounts.compute(key, (name, known) -> {
            boolean accepted = known == null || token >= known.highestToken();
            String effect =
                    known != null && repeatsAreOne && accepted ? known.first().effect() : newName();
            Entry entry = new Entry(clock.now(), key, payload, token, attempt, accepted, effect);
            write(entry);
            made[0] = entry;
            if (!accepted) return known;
            return new Account(known == null ? entry : known.first(), token);
        });
        return made[0];
    }

    private void write(Entry entry) {
        try {
            file.add(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String newName() {
        return Long.toHexString(ThreadLocalRandom.current().nextLong());
    }

    /** What was done first under a key; null when nothing was. */
    @Nullable
    Entry find(String key) {
        Account account = accounts.get(key);
        return account == null ? null : account.first();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
