package dev.semel.core.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.claim.WaitLimits;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyNews;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.time.HandTime;
import dev.semel.core.waiting.InFlightWait.News;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WaitingRoomsTest {
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.VALUE, new byte[] {1});
    private static final Duration EVERY = Duration.ofMillis(100);
    private static final Duration WAIT = Duration.ofMinutes(1);
    private static final KeyId ID = id("k");

    private record Look(long began, Set<KeyId> ids) {}

    private final HandTime time = new HandTime();
    private final Set<KeyId> heldHere = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<Look> looks = new LinkedBlockingQueue<>();
    private final ForwardingKeyStore store = new ForwardingKeyStore(new InMemoryKeyStore(time.clock())) {
        @Override
        public List<Seen> findAll(Collection<KeyId> ids) {
            long began = time.nanos();
            List<Seen> found = super.findAll(ids);
            looks.add(new Look(began, new HashSet<>(ids)));
            return found;
        }
    };
    private final List<AutoCloseable> open = new ArrayList<>();
    private final WaitingRooms rooms = rooms(new WaitLimits(256, 10_000, EVERY), Integer.MAX_VALUE);

    private WaitingRooms rooms(WaitLimits limits, int perTenant) {
        WaitingRooms made = new WaitingRooms(store, heldHere::contains, event -> {}, limits, perTenant, time);
        open.add(made);
        return made;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) each.close();
    }

    private static KeyId id(String key) {
        return KeyId.of("", "charge", key);
    }

    private KeyRecord held(KeyId id) {
        return assertInstanceOf(
                        KeyStore.Inserted.Fresh.class,
                        store.insert(new NewKey(id, ASKED, "holder", Duration.ofDays(1))))
                .record();
    }

    private KeyRecord change(KeyRecord seen, Next next) {
        return assertInstanceOf(KeyStore.Replaced.Swapped.class, store.replace(seen, Change.of(seen, next)))
                .record();
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    /** Lets the watcher look once more, and waits until it has fallen asleep again. */
    private Set<KeyId> nextLook() throws Exception {
        awaitSleeper();
        time.advance(EVERY);
        while (true) {
            Look look = Objects.requireNonNull(looks.poll(30, TimeUnit.SECONDS), "nobody looked");
            if (look.began != time.nanos()) continue;
            awaitSleeper();
            return look.ids;
        }
    }

    private void awaitSleeper() {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (time.sleeping() == 0 && System.nanoTime() - end < 0) Thread.onSpinWait();
        assertTrue(time.sleeping() > 0, "the watcher sleeps until its next look");
    }

    @Test
    void news_of_this_process_is_told_to_everyone_in_the_room_at_once() throws Exception {
        KeyRecord record = held(ID);
        heldHere.add(ID);
        List<CompletableFuture<News>> told = new ArrayList<>();
        List<InFlightWait> waits = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            InFlightWait wait = rooms.waitFor(ID, WAIT);
            waits.add(wait);
            told.add(CompletableFuture.supplyAsync(
                    wait::await, task -> Thread.ofVirtual().start(task)));
        }
        while (rooms.size() < 5) Thread.onSpinWait();
        for (CompletableFuture<News> each : told) assertFalse(each.isDone());
        KeyRecord done = change(record, new Next.Free(WAIT));
        // Who is in the room may not listen yet; told again it hears the same.
        while (!told.stream().allMatch(CompletableFuture::isDone)) rooms.tell(done);
        for (CompletableFuture<News> each : told)
            assertEquals(done, judged(get(each)).record());
        for (InFlightWait wait : waits) wait.close();
        assertEquals(0, rooms.size());
        assertTrue(looks.isEmpty(), "nobody has to look for what this process knows");
    }

    private static Seen judged(News news) {
        return Objects.requireNonNull(assertInstanceOf(News.Judge.class, news).seen());
    }

    @Test
    void who_waits_for_a_key_held_elsewhere_looks_once_for_itself_before_it_waits() throws Exception {
        KeyRecord record = held(ID);
        try (InFlightWait wait = rooms.waitFor(ID, WAIT)) {
            assertEquals(record, judged(wait.await()).record());
        }
    }

    @Test
    void keys_held_elsewhere_are_looked_at_in_one_batch_per_interval_however_many_wait() throws Exception {
        Set<KeyId> elsewhere = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            KeyId id = id("k" + i);
            held(id);
            elsewhere.add(id);
            for (int waiter = 0; waiter < 3; waiter++) assertNotNull(rooms.enter(id));
        }
        held(ID);
        heldHere.add(ID);
        assertNotNull(rooms.enter(ID));
        for (int i = 0; i < 5; i++) nextLook();
        looks.clear();
        for (int i = 0; i < 50; i++) {
            assertEquals(elsewhere, nextLook(), "all at once, and not the one that is held here");
            assertTrue(looks.isEmpty(), "one look an interval");
        }
    }

    @Test
    void an_end_elsewhere_is_told_with_the_next_look_and_a_hold_that_goes_on_is_not() throws Exception {
        KeyRecord record = held(ID);
        CompletableFuture<Optional<Seen>> news =
                Objects.requireNonNull(rooms.enter(ID)).listen();
        nextLook();
        assertFalse(news.isDone());
        KeyRecord freed = change(record, new Next.Free(WAIT));
        nextLook();
        assertEquals(freed, get(news).orElseThrow().record());
    }

    @Test
    void that_a_record_is_gone_is_news_too() throws Exception {
        CompletableFuture<Optional<Seen>> news =
                Objects.requireNonNull(rooms.enter(ID)).listen();
        nextLook();
        assertEquals(Optional.empty(), get(news));
    }

    @Test
    void a_doubt_that_goes_on_is_told_once_per_revision() throws Exception {
        KeyRecord doubt = change(held(ID), new Next.InDoubt("lost"));
        WaitingRooms.Place place = Objects.requireNonNull(rooms.enter(ID));
        rooms.tell(doubt);
        for (int revision = 0; revision < 3; revision++) {
            CompletableFuture<Optional<Seen>> news = place.listen();
            for (int i = 0; i < 5; i++) nextLook();
            assertFalse(news.isDone(), "known already");
            doubt = change(doubt, new Next.InDoubt("lost", revision + 1, Duration.ZERO, doubt.since()));
            nextLook();
            assertEquals(doubt, get(news).orElseThrow().record());
        }
        CompletableFuture<Optional<Seen>> end = place.listen();
        change(doubt, new Next.Free(WAIT));
        nextLook();
        assertInstanceOf(KeyState.Free.class, get(end).orElseThrow().record().state());
    }

    @Test
    void there_are_so_many_places_per_key_and_who_leaves_gives_one_back() {
        WaitingRooms small = rooms(new WaitLimits(2, 100, EVERY), Integer.MAX_VALUE);
        WaitingRooms.Place first = Objects.requireNonNull(small.enter(ID));
        assertNotNull(small.enter(ID));
        for (int i = 0; i < 200; i++) assertNull(small.enter(ID), "refusals use up no place either");
        assertNotNull(small.enter(id("other")));
        first.close();
        assertNotNull(small.enter(ID));
        assertNull(small.enter(ID));
        assertEquals(3, small.size());
    }

    @Test
    void there_are_so_many_places_in_all_and_who_leaves_gives_one_back() {
        WaitingRooms small = rooms(new WaitLimits(10, 3, EVERY), Integer.MAX_VALUE);
        List<WaitingRooms.Place> places = new ArrayList<>();
        for (int i = 0; i < 3; i++) places.add(Objects.requireNonNull(small.enter(id("k" + i))));
        for (int i = 0; i < 10; i++) assertNull(small.enter(id("k" + i)));
        places.removeFirst().close();
        assertNotNull(small.enter(ID));
        assertNull(small.enter(ID));
        assertEquals(3, small.size());
    }

    @Test
    void there_are_so_many_places_per_tenant_and_none_takes_those_of_another() {
        WaitingRooms small = rooms(new WaitLimits(1, 100, EVERY), 2);
        KeyId a = KeyId.of("tenant", "charge", "a");
        KeyId b = KeyId.of("tenant", "charge", "b");
        KeyId c = KeyId.of("tenant", "charge", "c");
        WaitingRooms.Place first = Objects.requireNonNull(small.enter(a));
        for (int i = 0; i < 10; i++) assertNull(small.enter(a), "no room for the key costs no place of the tenant");
        assertNotNull(small.enter(b));
        assertNull(small.enter(c));
        assertNotNull(small.enter(KeyId.of("other", "charge", "c")));
        for (int i = 0; i < 5; i++) assertNotNull(small.enter(id("k" + i)), "without a tenant");
        first.close();
        assertNotNull(small.enter(c));
    }

    @Test
    void who_finds_no_room_is_told_so_and_has_not_waited() {
        WaitingRooms none = rooms(new WaitLimits(0, 0, EVERY), Integer.MAX_VALUE);
        try (InFlightWait wait = none.waitFor(ID, WAIT)) {
            assertInstanceOf(News.NoRoom.class, wait.await());
            assertEquals(Duration.ZERO, wait.waited());
        }
        assertEquals(0, none.size());
    }

    @Test
    void who_does_not_wait_takes_no_place() {
        try (InFlightWait wait = rooms.waitFor(ID, Duration.ZERO)) {
            assertInstanceOf(News.TimeIsUp.class, wait.await());
            assertTrue(wait.isOver());
            assertEquals(0, rooms.size());
        }
    }

    @Test
    void a_waiter_whose_time_is_up_is_told_so_and_gives_its_place_back() throws Exception {
        held(ID);
        heldHere.add(ID);
        try (InFlightWait wait = rooms.waitFor(ID, WAIT)) {
            CompletableFuture<News> news = CompletableFuture.supplyAsync(
                    wait::await, task -> Thread.ofVirtual().start(task));
            while (rooms.size() == 0) Thread.onSpinWait();
            time.advance(WAIT.minusNanos(1));
            assertFalse(news.isDone());
            assertFalse(wait.isOver());
            time.advance(Duration.ofNanos(1));
            assertInstanceOf(News.TimeIsUp.class, get(news));
            assertTrue(wait.isOver());
            assertEquals(WAIT, wait.waited());
            assertEquals(1, rooms.size());
        }
        assertEquals(0, rooms.size());
    }

    @Test
    void nobody_waits_for_a_probe_that_comes_after_its_time_is_up() {
        try (InFlightWait wait = rooms.waitFor(ID, WAIT)) {
            assertInstanceOf(News.TimeIsUp.class, wait.awaitProbe(WAIT.plusNanos(1)));
            assertEquals(0, rooms.size());
        }
    }

    @Test
    void an_interrupted_waiter_stays_interrupted_and_waits_no_more() throws Exception {
        held(ID);
        heldHere.add(ID);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        try (InFlightWait wait = rooms.waitFor(ID, WAIT)) {
            Thread waiter = Thread.ofVirtual().start(() -> {
                boolean timeIsUp = wait.await() instanceof News.TimeIsUp;
                interrupted.complete(timeIsUp && Thread.currentThread().isInterrupted());
            });
            while (rooms.size() == 0) Thread.onSpinWait();
            waiter.interrupt();
            assertTrue(get(interrupted));
        }
    }

    @Test
    void who_enters_causes_no_look_before_the_interval_is_over() {
        HandTime hand = new HandTime();
        AtomicInteger looks = new AtomicInteger();
        KeyStore counting = new ForwardingKeyStore(new InMemoryKeyStore(hand.clock())) {
            @Override
            public List<Seen> findAll(Collection<KeyId> ids) {
                looks.incrementAndGet();
                return super.findAll(ids);
            }
        };
        try (WaitingRooms rooms =
                new WaitingRooms(counting, id -> false, event -> {}, WaitLimits.DEFAULT, Integer.MAX_VALUE, hand)) {
            for (int i = 0; i < 50; i++) {
                rooms.enter(KeyId.of("", "charge", "k" + i));
                long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
                while (hand.sleeping() == 0 && System.nanoTime() - end < 0) Thread.onSpinWait();
            }
            assertEquals(0, looks.get());
        }
    }

    /** A store that tells of changes; what it is asked to tell of is noted. */
    private static final class TellingStore extends ForwardingKeyStore implements KeyNews {
        private final Map<KeyId, Runnable> interests = new ConcurrentHashMap<>();
        private final BlockingQueue<Set<KeyId>> looks = new LinkedBlockingQueue<>();

        TellingStore(KeyStore store) {
            super(store);
        }

        @Override
        public KeyNews news() {
            return this;
        }

        @Override
        public Interest watch(KeyId id, Runnable changed) {
            interests.put(id, changed);
            return () -> interests.remove(id);
        }

        @Override
        public List<Seen> findAll(Collection<KeyId> ids) {
            looks.add(new HashSet<>(ids));
            return super.findAll(ids);
        }
    }

    @Test
    void what_a_store_tells_of_is_looked_at_at_once_and_nothing_else() throws Exception {
        KeyRecord record = held(ID);
        TellingStore telling = new TellingStore(store);
        try (WaitingRooms rooms =
                new WaitingRooms(telling, id -> false, event -> {}, WaitLimits.DEFAULT, Integer.MAX_VALUE, time)) {
            WaitingRooms.Place other = Objects.requireNonNull(rooms.enter(id("other")));
            WaitingRooms.Place place = Objects.requireNonNull(rooms.enter(ID));
            CompletableFuture<Optional<Seen>> news = place.listen();
            KeyRecord done = change(record, new Next.Free(WAIT));
            Objects.requireNonNull(telling.interests.get(ID)).run();
            assertEquals(done, get(news).orElseThrow().record(), "no time has passed");
            assertEquals(Set.of(ID), telling.looks.poll(30, TimeUnit.SECONDS));
            place.close();
            assertEquals(Set.of(id("other")), telling.interests.keySet(), "nobody waits for it any more");
            other.close();
            assertEquals(Set.of(), telling.interests.keySet());
        }
    }

    @Test
    void of_a_key_that_is_held_here_the_store_is_not_asked_to_tell() {
        heldHere.add(ID);
        TellingStore telling = new TellingStore(store);
        try (WaitingRooms rooms =
                new WaitingRooms(telling, heldHere::contains, event -> {}, WaitLimits.DEFAULT, 10, time)) {
            Objects.requireNonNull(rooms.enter(ID));
            assertEquals(Set.of(), telling.interests.keySet());
        }
    }
}
