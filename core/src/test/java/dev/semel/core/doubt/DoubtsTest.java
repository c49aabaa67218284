package dev.semel.core.doubt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.Probe.Finding;
import dev.semel.core.claim.ProbePlan;
import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.WaitLimits;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.time.HandTime;
import dev.semel.core.waiting.WaitingRooms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DoubtsTest {
    private static final KeyId ID = KeyId.of("", "charge", "k");
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.VALUE, new byte[] {1});
    private static final Duration AFTER = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration MOMENT = Duration.ofNanos(1);
    private static final Finding HAPPENED = new Finding.Happened(Outcome.of(new byte[] {1}));
    private static final Finding UNKNOWN = new Finding.StillUnknown("no answer");

    /** A question that is on its way, and answered by the test. */
    private record Question(Instant at, CompletableFuture<Finding> answer) {}

    private final HandTime time = new HandTime();
    private final InMemoryKeyStore store = new InMemoryKeyStore(time.clock());
    private final BlockingQueue<Question> questions = new LinkedBlockingQueue<>();
    private final BlockingQueue<SemelEvent> events = new LinkedBlockingQueue<>();
    private final ClaimPolicy policy =
            ClaimPolicy.DEFAULT.withProbe(new ProbePlan(this::ask, AFTER, TIMEOUT, PAUSE, Duration.ofSeconds(8), 50));
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Doubts doubts = engine();

    private Doubts engine() {
        WaitingRooms rooms =
                new WaitingRooms(store, id -> false, event -> {}, WaitLimits.DEFAULT, Integer.MAX_VALUE, time);
        Doubts made = new Doubts(store, events::add, rooms, record -> false, seen -> false, id -> policy, time);
        open.add(made);
        open.add(rooms);
        return made;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) each.close();
    }

    private Finding ask(KeyId id, Memo memo) {
        Question question = new Question(time.instant(), new CompletableFuture<>());
        questions.add(question);
        return question.answer.orTimeout(30, TimeUnit.SECONDS).join();
    }

    private Question question() throws InterruptedException {
        return Objects.requireNonNull(questions.poll(30, TimeUnit.SECONDS), "nobody asked");
    }

    private KeyRecord inDoubt() {
        KeyRecord held = assertInstanceOf(
                        KeyStore.Inserted.Fresh.class,
                        store.insert(new NewKey(ID, ASKED, "holder", Duration.ofSeconds(30))))
                .record();
        return assertInstanceOf(
                        KeyStore.Replaced.Swapped.class,
                        store.replace(held, Change.of(held, new Next.InDoubt("lost", 0, AFTER, null))))
                .record();
    }

    private Seen seen() {
        return Objects.requireNonNull(store.find(ID));
    }

    private <T extends SemelEvent> T event(Class<T> type) throws InterruptedException {
        while (true) {
            SemelEvent event = events.poll(30, TimeUnit.SECONDS);
            assertNotNull(event, () -> "no " + type.getSimpleName());
            if (type.isInstance(event)) return type.cast(event);
        }
    }

    private CompletableFuture<Seen> probe(Doubts engine, Seen seen) {
        CompletableFuture<Seen> told = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> told.complete(engine.probe(seen, policy)));
        return told;
    }

    @Test
    void no_probe_is_asked_before_its_time() throws Exception {
        inDoubt();
        assertNull(doubts.probe(seen(), policy));
        time.advance(AFTER.minus(MOMENT));
        assertNull(doubts.probe(seen(), policy));
        assertTrue(questions.isEmpty());
        time.advance(MOMENT);
        CompletableFuture<Seen> told = probe(doubts, seen());
        question().answer.complete(HAPPENED);
        assertInstanceOf(
                KeyState.Done.class, told.get(30, TimeUnit.SECONDS).record().state());
    }

    @Test
    void in_the_background_a_probe_is_asked_when_its_time_comes_and_ends_the_doubt() throws Exception {
        doubts.fellIntoDoubt(inDoubt());
        Instant due = time.instant().plus(AFTER);
        time.advance(AFTER.minus(MOMENT));
        assertNull(questions.poll());
        time.advance(MOMENT);
        Question asked = question();
        assertEquals(due, asked.at);
        asked.answer.complete(HAPPENED);
        SemelEvent.DoubtEnded ended = event(SemelEvent.DoubtEnded.class);
        assertEquals(SemelEvent.EndedBy.PROBE, ended.by());
        assertEquals(seen().record(), ended.record());
    }

    @Test
    void of_two_engines_on_one_store_only_one_asks() throws Exception {
        Doubts other = engine();
        inDoubt();
        time.advance(AFTER);
        Seen both = seen();
        CompletableFuture<Seen> first = probe(doubts, both);
        Question asked = question();
        Seen moved = Objects.requireNonNull(other.probe(both, policy), "the other finds that someone asks");
        assertEquals(
                1,
                assertInstanceOf(KeyState.InDoubt.class, moved.record().state()).probes());
        assertNull(other.probe(moved, policy), "and it is not time to ask again");
        asked.answer.complete(HAPPENED);
        first.get(30, TimeUnit.SECONDS);
        assertNull(other.probe(seen(), policy));
        assertTrue(questions.isEmpty());
    }

    @Test
    void in_the_background_of_two_engines_one_asks_too() throws Exception {
        Doubts other = engine();
        KeyRecord record = inDoubt();
        doubts.fellIntoDoubt(record);
        other.fellIntoDoubt(record);
        time.advance(AFTER);
        question().answer.complete(HAPPENED);
        event(SemelEvent.DoubtEnded.class);
        time.advance(TIMEOUT);
        other.close();
        doubts.close();
        assertTrue(questions.isEmpty());
        assertEquals(KeyState.Kind.DONE, seen().record().state().kind());
    }

    @Test
    void an_asker_that_died_is_replaced_when_its_time_is_up() throws Exception {
        Doubts other = engine();
        inDoubt();
        time.advance(AFTER);
        CompletableFuture<Seen> dead = probe(doubts, seen());
        Question lost = question();
        time.advance(TIMEOUT.minus(MOMENT));
        assertNull(other.probe(seen(), policy));
        time.advance(MOMENT);
        CompletableFuture<Seen> told = probe(other, seen());
        question().answer.complete(HAPPENED);
        KeyRecord done = told.get(30, TimeUnit.SECONDS).record();
        lost.answer.complete(new Finding.DidNotHappen());
        assertEquals(done, dead.get(30, TimeUnit.SECONDS).record(), "what it finds so late counts no more");
        assertEquals(done, seen().record());
    }

    @Test
    void while_nobody_can_tell_it_is_asked_again_after_a_pause_that_doubles_up_to_the_longest() throws Exception {
        inDoubt();
        time.advance(AFTER);
        int probes = 0;
        for (long seconds : new long[] {1, 2, 4, 8, 8, 8}) {
            CompletableFuture<Seen> told = probe(doubts, seen());
            question().answer.complete(UNKNOWN);
            KeyState.InDoubt still = assertInstanceOf(
                    KeyState.InDoubt.class,
                    told.get(30, TimeUnit.SECONDS).record().state());
            assertEquals(++probes, still.probes());
            assertEquals(time.instant().plusSeconds(seconds), still.nextProbe());
            time.advance(Duration.ofSeconds(seconds).minus(MOMENT));
            assertNull(doubts.probe(seen(), policy), "too early");
            time.advance(MOMENT);
        }
    }

    @Test
    void in_the_background_it_is_asked_again_and_again_until_someone_can_tell() throws Exception {
        doubts.fellIntoDoubt(inDoubt());
        Instant due = time.instant().plus(AFTER);
        for (int i = 0; i < 5; i++) {
            Question asked = questionInTime();
            assertFalse(asked.at.isBefore(due), "too early");
            due = asked.at.plus(PAUSE);
            asked.answer.complete(UNKNOWN);
        }
        questionInTime().answer.complete(new Finding.DidNotHappen());
        assertEquals(
                KeyState.Kind.FREE,
                event(SemelEvent.DoubtEnded.class).record().state().kind());
    }

    /** Lets time pass until someone asks: when exactly the schedule knows of a key is not for a test to see. */
    private Question questionInTime() throws InterruptedException {
        for (int i = 0; i < 3000; i++) {
            Question asked = questions.poll(10, TimeUnit.MILLISECONDS);
            if (asked != null) return asked;
            time.advance(PAUSE.dividedBy(2));
        }
        throw new AssertionError("nobody asked");
    }

    @Test
    void a_probe_that_throws_could_not_tell() throws Exception {
        inDoubt();
        time.advance(AFTER);
        CompletableFuture<Seen> told = probe(doubts, seen());
        question().answer.completeExceptionally(new IllegalStateException("down"));
        KeyState.InDoubt still = assertInstanceOf(
                KeyState.InDoubt.class, told.get(30, TimeUnit.SECONDS).record().state());
        assertEquals(time.instant().plus(PAUSE), still.nextProbe());
        assertInstanceOf(
                Finding.StillUnknown.class, event(SemelEvent.Probed.class).finding());
    }

    @Test
    void a_key_is_being_asked_about_from_question_to_answer() throws Exception {
        inDoubt();
        time.advance(AFTER);
        assertFalse(doubts.isAsking(ID));
        CompletableFuture<Seen> told = probe(doubts, seen());
        Question asked = question();
        assertTrue(doubts.isAsking(ID));
        assertFalse(doubts.isAsking(KeyId.of("", "charge", "other")));
        asked.answer.complete(UNKNOWN);
        told.get(30, TimeUnit.SECONDS);
        assertFalse(doubts.isAsking(ID));
    }

    @Test
    void a_silent_holder_that_the_sweep_came_across_falls_into_doubt_and_is_asked_about() throws Exception {
        store.insert(new NewKey(ID, ASKED, "holder", Duration.ofSeconds(30)));
        time.advance(Duration.ofSeconds(30));
        doubts.lookInto(List.of(ID));
        assertEquals(
                seen().record().id(),
                event(SemelEvent.FellIntoDoubt.class).record().id());
        questionInTime().answer.complete(HAPPENED);
        event(SemelEvent.DoubtEnded.class);
    }
}
