package dev.semel.client.ledger;

import dev.semel.client.ledger.EntryFormat.Attempted;
import dev.semel.client.ledger.EntryFormat.Event;
import dev.semel.client.ledger.EntryFormat.Remembered;
import dev.semel.client.ledger.EntryFormat.Removed;
import dev.semel.client.ledger.EntryFormat.Settled;
import dev.semel.client.ledger.LedgerFile.Place;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A ledger in one file, for one process. Every write is on disk before its method returns; threads that write at the same
 * time share a sync. What was being written when the process or the machine died is cut off when it is opened again.
 *
 * <p>The file grows, and is written anew without what is no longer needed when that is more than half of it. It holds
 * the bodies of requests and answers, so only its owner may read it. Safe for use by any thread.
 */
public final class FileLedger implements Ledger {
    private static final long SMALLEST_TO_COMPACT = 1 << 20;

    private final LedgerLock lock;
    private final long smallestToCompact;

    /** By intent, in the order in which they were written. */
    private final Map<String, Slot> slots = new LinkedHashMap<>();

    private final LedgerFile file;
    private long live;

    /** Where the entry of an intent is, and what was said of it later. */
    private record Slot(
            Place place,
            String key,
            int attempts,
            @Nullable Instant firstSentAt,
            @Nullable Instant settledAt) {}

    private FileLedger(Path path, long smallestToCompact) throws IOException {
        this.smallestToCompact = smallestToCompact;
        this.lock = LedgerLock.take(path);
        try {
            this.file = LedgerFile.open(path, this::read);
            // After a failed sync, what a process reads may not be on disk, and to sync it again would not write it.
            if (!slots.isEmpty()) compact();
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /**
     * Opens the ledger in that file, and makes it if there is none. Its folder must be there.
     *
     * @throws LedgerException when another process has it open, it is damaged, or it cannot be read
     */
    public static FileLedger open(Path path) {
        return open(path, SMALLEST_TO_COMPACT);
    }

    static FileLedger open(Path path, long smallestToCompact) {
        try {
            return new FileLedger(path, smallestToCompact);
        } catch (IOException e) {
            throw new LedgerException("The ledger " + path + " cannot be opened: " + e.getMessage(), e);
        }
    }

    private void read(Place place, byte[] payload) throws IOException {
        switch (EntryFormat.decode(payload)) {
            case Remembered(Entry.Pending it) -> put(it.intent(), slot(place, it));
            case Settled(Entry.Settled it) -> put(it.intent(), slot(place, it));
            case Attempted it -> counted(it);
            case Removed it -> take(it.intent());
        }
    }

    private static Slot slot(Place place, Entry.Pending it) {
        return new Slot(place, it.key(), it.attempts(), it.firstSentAt(), null);
    }

    private static Slot slot(Place place, Entry.Settled it) {
        return new Slot(place, it.key(), 0, null, it.settledAt());
    }

    private void put(String intent, Slot slot) {
        take(intent);
        slots.put(intent, slot);
        live += slot.place().length();
    }

    private void take(String intent) {
        Slot former = slots.remove(intent);
        if (former != null) live -= former.place().length();
    }

    private void counted(Attempted it) {
        Slot slot = slots.get(it.intent());
        if (slot != null)
            slots.replace(
                    it.intent(), new Slot(slot.place(), slot.key(), it.attempts(), it.firstSentAt(), slot.settledAt()));
    }

    @Override
    public @Nullable Entry remember(Entry.Pending entry) {
        return synced(() -> {
            Entry there = read(entry.intent());
            if (there == null) put(entry.intent(), slot(write(new Remembered(entry)), entry));
            return there;
        });
    }

    @Override
    public @Nullable Entry find(String intent) {
        return synced(() -> read(intent));
    }

    @Override
    public Entry.@Nullable Pending attempt(Entry.Pending entry, Instant now) {
        return synced(() -> {
            if (!(read(entry.intent()) instanceof Entry.Pending there)
                    || !there.key().equals(entry.key())) return null;
            Entry.Pending next = there.attemptedAt(now);
            Instant first = next.firstSentAt() == null ? now : next.firstSentAt();
            Attempted counted = new Attempted(next.intent(), next.attempts(), first);
            write(counted);
            counted(counted);
            return next;
        });
    }

    @Override
    public boolean settle(Entry.Pending entry, Response response, Instant now) {
        return Boolean.TRUE.equals(synced(() -> {
            if (!isAsSeen(entry)) return false;
            Entry.Settled settled =
                    new Entry.Settled(entry.intent(), entry.key(), entry.digest(), now, response.withoutSecrets());
            put(entry.intent(), slot(write(new Settled(settled)), settled));
            compactIfWorthIt();
            return true;
        }));
    }

    @Override
    public boolean remove(Entry seen) {
        return Boolean.TRUE.equals(synced(() -> {
            if (!isAsSeen(seen)) return false;
            write(new Removed(seen.intent()));
            take(seen.intent());
            compactIfWorthIt();
            return true;
        }));
    }

    private boolean isAsSeen(Entry seen) {
        Slot slot = slots.get(seen.intent());
        if (slot == null || !slot.key().equals(seen.key())) return false;
        return switch (seen) {
            case Entry.Pending it -> slot.settledAt() == null && slot.attempts() == it.attempts();
            case Entry.Settled it -> slot.settledAt() != null;
        };
    }

    @Override
    public synchronized List<String> pending() {
        return slots.entrySet().stream()
                .filter(each -> each.getValue().settledAt() == null)
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public void forgetSettledBefore(Instant then) {
        synced(() -> {
            List<String> old = new ArrayList<>();
            slots.forEach((intent, slot) -> {
                if (slot.settledAt() != null && slot.settledAt().isBefore(then)) old.add(intent);
            });
            old.forEach(this::take);
            compactIfWorthIt();
            return null;
        });
    }

    private @Nullable Entry read(String intent) throws IOException {
        Slot slot = slots.get(intent);
        if (slot == null) return null;
        return switch (EntryFormat.decode(file.read(slot.place()))) {
            case Remembered(Entry.Pending it) ->
                new Entry.Pending(
                        it.intent(),
                        it.key(),
                        it.call(),
                        it.rememberedAt(),
                        it.deadline(),
                        slot.attempts(),
                        slot.firstSentAt());
            case Settled(Entry.Settled it) -> it;
            case Attempted it -> throw new IOException("There is no entry at " + slot.place() + ".");
            case Removed it -> throw new IOException("There is no entry at " + slot.place() + ".");
        };
    }

    private Place write(Event event) throws IOException {
        return file.append(EntryFormat.encode(event));
    }

    private void compactIfWorthIt() throws IOException {
        if (file.size() >= smallestToCompact && live <= file.size() / 2) compact();
    }

    private void compact() throws IOException {
        List<Place> places = new ArrayList<>();
        List<byte[]> counts = new ArrayList<>();
        slots.forEach((intent, slot) -> {
            places.add(slot.place());
            if (slot.settledAt() == null && slot.firstSentAt() != null)
                counts.add(EntryFormat.encode(new Attempted(intent, slot.attempts(), slot.firstSentAt())));
        });
        List<Place> moved = file.rewrite(places, counts);
        if (moved == null) return;
        int next = 0;
        for (Map.Entry<String, Slot> each : slots.entrySet()) {
            Slot slot = each.getValue();
            each.setValue(
                    new Slot(moved.get(next++), slot.key(), slot.attempts(), slot.firstSentAt(), slot.settledAt()));
        }
        live = moved.stream().mapToLong(Place::length).sum();
    }

    private interface Change<T> {
        @Nullable
        T make() throws IOException;
    }

    /** Also what others have written is on disk when this returns: nobody acts on what could still be lost. */
    private <T> @Nullable T synced(Change<T> change) {
        try {
            @Nullable T result;
            synchronized (this) {
                result = change.make();
            }
            file.sync();
            return result;
        } catch (IOException e) {
            throw new LedgerException("The ledger could not be written or read: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized void close() {
        file.close();
        lock.close();
    }
}
