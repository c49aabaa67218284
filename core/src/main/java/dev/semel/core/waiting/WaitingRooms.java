package dev.semel.core.waiting;

import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.claim.WaitLimits;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.quota.TenantLimit;
import dev.semel.core.store.KeyNews;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Seen;
import dev.semel.core.time.EngineTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where duplicates wait for the attempt in flight, one room a key. News from this process reaches a room at once; for
 * keys held elsewhere a single watcher looks at all of them in one batch per interval, however many wait, and at those that a
 * store {@linkplain KeyNews has told of} at once.
 */
public final class WaitingRooms implements AutoCloseable {
    private static final int KEYS_PER_LOOK = 1000;
    private static final long NO_DOUBT = -1;

    private final ConcurrentHashMap<KeyId, Room> rooms = new ConcurrentHashMap<>();
    /** Who is on the way in counts already, so that there are never too many. */
    private final AtomicInteger places = new AtomicInteger();

    /** Who is in. */
    private final AtomicInteger waiting = new AtomicInteger();

    /** Keys that are waited for and have changed, as the store has told. */
    private final Set<KeyId> changed = ConcurrentHashMap.newKeySet();

    private final KeyStore store;
    private final @Nullable KeyNews news;
    private final Predicate<KeyId> isHeldHere;
    private final EngineTime time;
    private final SemelListener listener;
    private final WaitLimits limits;
    private final TenantLimit tenants;
    private final Thread watcher;
    private volatile boolean closed;

    /** @param isHeldHere whether news of a key will come from this process itself */
    public WaitingRooms(
            KeyStore store,
            Predicate<KeyId> isHeldHere,
            SemelListener listener,
            WaitLimits limits,
            int perTenant,
            EngineTime time) {
        this.store = store;
        this.news = store.news();
        this.isHeldHere = isHeldHere;
        this.time = time;
        this.listener = listener;
        this.limits = limits;
        this.tenants = new TenantLimit(perTenant);
        this.watcher = Thread.ofPlatform().daemon().name("semel-watcher").start(this::watch);
    }

    /** Guarded by the map: read and written only inside {@code compute} of its key. */
    private static final class Room {
        int waiting;
        long toldDoubt = NO_DOUBT;
        CompletableFuture<Optional<Seen>> news = new CompletableFuture<>();
        KeyNews.@Nullable Interest interest;

        /** Who tries to take a key of which there is no record. */
        @Nullable
        Place leader;
    }

    /** A place in a room, or null when there is none left for this key, for its tenant or in all. */
    @Nullable
    Place enter(KeyId id) {
        if (!tenants.take(id.tenant())) return null;
        if (!hasRoom(id)) {
            tenants.giveBack(id.tenant());
            return null;
        }
        waiting.incrementAndGet();
        LockSupport.unpark(watcher);
        return new Place(id);
    }

    private boolean hasRoom(KeyId id) {
        if (places.incrementAndGet() > limits.inAll()) {
            places.decrementAndGet();
            return false;
        }
        boolean[] entered = {true};
        rooms.compute(id, (key, present) -> {
            Room room = present == null ? opened(id) : present;
            if (room.waiting < limits.perKey()) room.waiting++;
            else entered[0] = false;
            return room.waiting == 0 ? null : room;
        });
        if (!entered[0]) places.decrementAndGet();
        return entered[0];
    }

    /** Of a key that is held in this process, news comes without the store. */
    private Room opened(KeyId id) {
        Room room = new Room();
        if (news != null && !isHeldHere.test(id)) room.interest = news.watch(id, () -> hear(id));
        return room;
    }

    private void hear(KeyId id) {
        changed.add(id);
        LockSupport.unpark(watcher);
    }

    /** A claim's wait for the attempt in flight; takes a place only when it has to wait. */
    public InFlightWait waitFor(KeyId id, Duration atMost) {
        return new InFlightWait(this, isHeldHere, store, id, atMost, time);
    }

    /** Tells everyone in the room of a key what has just become of it in this process. */
    public void tell(KeyRecord record) {
        tell(new Seen(record, record.since()));
    }

    public void tell(Seen seen) {
        rooms.computeIfPresent(seen.record().id(), (key, room) -> told(room, Optional.of(seen)));
    }

    private static Room told(Room room, Optional<Seen> seen) {
        room.toldDoubt = seen.filter(WaitingRooms::isDoubt)
                .map(it -> it.record().revision())
                .orElse(NO_DOUBT);
        room.news.complete(seen);
        room.news = new CompletableFuture<>();
        return room;
    }

    private static boolean isDoubt(Seen seen) {
        return seen.record().state() instanceof KeyState.InDoubt;
    }

    /** How many wait. */
    public int size() {
        return waiting.get();
    }

    final class Place implements AutoCloseable {
        private final KeyId id;

        private Place(KeyId id) {
            this.id = id;
        }

        /** News from now on. Listen first, then look: what happens after the look is then never missed. */
        CompletableFuture<Optional<Seen>> listen() {
            Room room = rooms.computeIfPresent(id, (key, present) -> present);
            if (room == null) throw new IllegalStateException("Nobody listens outside a room.");
            return room.news;
        }

        /**
         * Whether this one is to try to take a key of which there is no record. Of all who wait for it one does, and the
         * others hear what came of it: it may be reserved by a transaction, and then all would try in vain.
         */
        boolean lead() {
            Room room = rooms.computeIfPresent(id, (key, present) -> {
                if (present.leader == null) present.leader = this;
                return present;
            });
            return room != null && room.leader == this;
        }

        void stopLeading() {
            rooms.computeIfPresent(id, (key, room) -> {
                if (room.leader == this) room.leader = null;
                return room;
            });
        }

        @Override
        public void close() {
            stopLeading();
            rooms.computeIfPresent(id, (key, room) -> --room.waiting == 0 ? closed(room) : room);
            waiting.decrementAndGet();
            places.decrementAndGet();
            tenants.giveBack(id.tenant());
        }
    }

    private static @Nullable Room closed(Room room) {
        if (room.interest != null) room.interest.close();
        return null;
    }

    private void watch() {
        while (!closed) {
            if (rooms.isEmpty()) LockSupport.park();
            // Who enters wakes this thread, but causes no look of its own.
            long next = time.nanos() + limits.lookEvery().toNanos();
            while (!closed && time.nanos() - next < 0) {
                if (changed.isEmpty()) time.parkUntil(next);
                else look(this::lookAtChanged);
            }
            if (closed) return;
            look(this::lookAtAll);
        }
    }

    private void look(Runnable look) {
        try {
            look.run();
        } catch (RuntimeException e) {
            listener.on(new SemelEvent.BackgroundTaskFailed("look at keys that are waited for", e));
        }
    }

    /** Of a change that comes while these are looked at, there is news again. */
    private void lookAtChanged() {
        List<KeyId> batch = changed.stream().limit(KEYS_PER_LOOK).toList();
        batch.forEach(changed::remove);
        look(batch.stream().filter(rooms::containsKey).toList());
    }

    private void lookAtAll() {
        List<KeyId> batch = new ArrayList<>();
        for (KeyId id : rooms.keySet()) {
            if (isHeldHere.test(id)) continue;
            batch.add(id);
            if (batch.size() == KEYS_PER_LOOK) {
                look(batch);
                batch.clear();
            }
        }
        if (!batch.isEmpty()) look(batch);
    }

    private void look(Collection<KeyId> ids) {
        Map<KeyId, Seen> found = new HashMap<>();
        for (Seen seen : store.findAll(ids)) found.put(seen.record().id(), seen);
        for (KeyId id : ids) {
            Seen seen = found.get(id);
            if (seen == null || !isStillRunning(seen))
                rooms.computeIfPresent(
                        id, (key, room) -> isKnownDoubt(room, seen) ? room : told(room, Optional.ofNullable(seen)));
        }
    }

    /** A doubt that goes on is news only once. */
    private static boolean isKnownDoubt(Room room, @Nullable Seen seen) {
        return seen != null && isDoubt(seen) && room.toldDoubt == seen.record().revision();
    }

    public static boolean isStillRunning(Seen seen) {
        return seen.record().state() instanceof KeyState.Held held && !held.isSilent(seen.now());
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(watcher);
    }
}
