package dev.semel.examples.payments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The book of all charges: entries are added and never changed. It is the truth about how often a customer paid, and
 * the oracle of every test that claims "charged once".
 *
 * <p>Safe for use by many threads. In a folder, an entry is on disk when {@link #append} returns.
 */
public final class Ledger implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Charge> charges = new ArrayList<>();
    private final Map<String, List<Charge>> byKey = new HashMap<>();
    private final @Nullable LedgerFile file;
    private long repeats;

    private Ledger(@Nullable LedgerFile file) {
        this.file = file;
    }

    public static Ledger inMemory() {
        return new Ledger(null);
    }

    /** Opens the ledger in this folder, which is created when it is missing. One process may have it open at a time. */
    public static Ledger in(Path folder) throws IOException {
        List<Charge> found = new ArrayList<>();
        Ledger ledger = new Ledger(LedgerFile.open(folder, found::add));
        found.forEach(ledger::remember);
        return ledger;
    }

    /**
     * Adds an entry.
     *
     * @throws IOException when it may or may not be on disk; the ledger takes no further entry then
     */
    public void append(Charge charge) throws IOException {
        lock.lock();
        try {
            if (file != null) file.append(charge);
            remember(charge);
        } finally {
            lock.unlock();
        }
    }

    private void remember(Charge charge) {
        charges.add(charge);
        String key = charge.idempotencyKey();
        if (key == null) return;
        List<Charge> same = byKey.computeIfAbsent(key, absent -> new ArrayList<>(1));
        if (!same.isEmpty()) repeats++;
        same.add(charge);
    }

    /** How many charges there are. */
    public long size() {
        lock.lock();
        try {
            return charges.size();
        } finally {
            lock.unlock();
        }
    }

    /** How many charges there are beyond the first of their key: money taken twice. */
    public long repeats() {
        lock.lock();
        try {
            return repeats;
        } finally {
            lock.unlock();
        }
    }

    /** All charges that were made under this key, the first one first. */
    public List<Charge> withKey(String key) {
        lock.lock();
        try {
            return List.copyOf(byKey.getOrDefault(key, List.of()));
        } finally {
            lock.unlock();
        }
    }

    /** The charges from this number on, counted from 0, in the order in which they were made. */
    public List<Charge> from(int number) {
        lock.lock();
        try {
            return List.copyOf(charges.subList(number, charges.size()));
        } finally {
            lock.unlock();
        }
    }

    /** The latest charges, the newest first. */
    public List<Charge> latest(int limit) {
        lock.lock();
        try {
            return List.copyOf(charges.subList(Math.max(0, charges.size() - limit), charges.size())
                    .reversed());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            if (file != null) file.close();
        } finally {
            lock.unlock();
        }
    }
}
