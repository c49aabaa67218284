package dev.semel.core.waiting;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Seen;
import dev.semel.core.time.EngineTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One duplicate's patience: enters the room of its key once, then waits for news until its time is up. */
public final class InFlightWait implements AutoCloseable {
    /** Nobody looks more often at a doubt that someone else may be about to end. */
    private static final long SHORTEST_LOOK = 100_000_000;

    private final WaitingRooms rooms;
    private final Predicate<KeyId> isHeldHere;
    private final KeyStore store;
    private final KeyId id;
    private final EngineTime time;
    private final long began;
    private final long nanos;
    private WaitingRooms.@Nullable Place place;
    private @Nullable CompletableFuture<Optional<Seen>> news;

    InFlightWait(
            WaitingRooms rooms, Predicate<KeyId> isHeldHere, KeyStore store, KeyId id, Duration wait, EngineTime time) {
        this.rooms = rooms;
        this.isHeldHere = isHeldHere;
        this.time = time;
        this.began = time.nanos();
        this.store = store;
        this.id = id;
        this.nanos = wait.toNanos();
    }

    /** What the waiting led to. */
    public sealed interface News {
        /** The key has moved on, or may have: judge it again. Null when its record is gone. */
        record Judge(@Nullable Seen seen) implements News {}

        record TimeIsUp() implements News {}

        record NoRoom() implements News {}
    }

    /** Waits for the attempt in flight to end. */
    public News await() {
        return await(nanos);
    }

    /** The same, but has it judged again after that time at the latest. */
    public News await(Duration atMost) {
        return await(atMost.toNanos());
    }

    /** Waits for a doubt to end, if someone may ask about it before the time is up; then it is judged anew. */
    public News awaitProbe(Duration in) {
        long nanos = Math.max(SHORTEST_LOOK, in.toNanos());
        return leftNanos() < nanos ? new News.TimeIsUp() : await(nanos);
    }

    public boolean isOver() {
        return leftNanos() <= 0;
    }

    private News await(long atMost) {
        if (nanos == 0) return new News.TimeIsUp();
        if (place == null || news == null) {
            place = rooms.enter(id);
            if (place == null) return new News.NoRoom();
            // Listen first, then look.
            news = place.listen();
            if (!isHeldHere.test(id)) {
                Seen seen = store.find(id);
                if (seen != null || place.lead()) return new News.Judge(seen);
            }
        }
        place.stopLeading();
        try {
            while (true) {
                if (!time.await(news, time.nanos() + Math.min(atMost, Math.max(0, leftNanos()))))
                    return leftNanos() > 0 ? new News.Judge(store.find(id)) : new News.TimeIsUp();
                Optional<Seen> told = news.join();
                news = place.listen();
                if (told.isPresent() || place.lead()) return new News.Judge(told.orElse(null));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new News.TimeIsUp();
        }
    }

    public Duration waited() {
        return place == null ? Duration.ZERO : Duration.ofNanos(waitedNanos());
    }

    private long leftNanos() {
        return nanos - waitedNanos();
    }

    private long waitedNanos() {
        return time.nanos() - began;
    }

    @Override
    public void close() {
        if (place != null) place.close();
    }
}
