package dev.semel.core;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Seen;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One duplicate's patience: enters the room of its key once, then waits for news until its time is up. */
final class InFlightWait implements AutoCloseable {
    /** Nobody looks more often at a doubt that someone else may be about to end. */
    private static final long SHORTEST_LOOK = 100_000_000;

    private final WaitingRooms rooms;
    private final LeaseKeeper keeper;
    private final KeyStore store;
    private final KeyId id;
    private final long began = System.nanoTime();
    private final long nanos;
    private WaitingRooms.@Nullable Place place;
    private @Nullable CompletableFuture<Optional<Seen>> news;

    InFlightWait(WaitingRooms rooms, LeaseKeeper keeper, KeyStore store, KeyId id, Duration wait) {
        this.rooms = rooms;
        this.keeper = keeper;
        this.store = store;
        this.id = id;
        this.nanos = wait.toNanos();
    }

    /** What the waiting led to. */
    sealed interface News {
        /** The key has moved on, or may have: judge it again. Null when its record is gone. */
        record Judge(@Nullable Seen seen) implements News {}

        record TimeIsUp() implements News {}

        record NoRoom() implements News {}
    }

    /** Waits for the attempt in flight to end. */
    News await() {
        return await(Long.MAX_VALUE);
    }

    /** Waits for a doubt to end, if someone may ask about it before the time is up; then it is judged anew. */
    News awaitProbe(Duration in) {
        long nanos = Math.max(SHORTEST_LOOK, in.toNanos());
        return leftNanos() < nanos ? new News.TimeIsUp() : await(nanos);
    }

    boolean isOver() {
        return leftNanos() <= 0;
    }

    private News await(long atMost) {
        if (nanos == 0) return new News.TimeIsUp();
        if (place == null || news == null) {
            place = rooms.enter(id);
            if (place == null) return new News.NoRoom();
            news = place.listen();
            if (!keeper.isHeldHere(id)) return new News.Judge(store.find(id));
        }
        try {
            Optional<Seen> told = news.get(Math.min(atMost, Math.max(0, leftNanos())), TimeUnit.NANOSECONDS);
            news = place.listen();
            return new News.Judge(told.orElse(null));
        } catch (TimeoutException e) {
            return leftNanos() > 0 ? new News.Judge(store.find(id)) : new News.TimeIsUp();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new News.TimeIsUp();
        } catch (ExecutionException e) {
            throw new IllegalStateException("News never fail.", e);
        }
    }

    Duration waited() {
        return place == null ? Duration.ZERO : Duration.ofNanos(waitedNanos());
    }

    private long leftNanos() {
        return nanos - waitedNanos();
    }

    private long waitedNanos() {
        return System.nanoTime() - began;
    }

    @Override
    public void close() {
        if (place != null) place.close();
    }
}
