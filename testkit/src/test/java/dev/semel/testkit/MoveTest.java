package dev.semel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.move.DualReadKeyStore;
import dev.semel.core.move.Migration;
import dev.semel.core.move.MigrationReport;
import dev.semel.core.move.MoveMark;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits;
import dev.semel.testkit.FlakyKeyStore.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys that move from one store to another: what becomes of each, wherever the move is cut off. */
class MoveTest {
    private static final ClaimPolicy ONCE = ClaimPolicy.DEFAULT.withWaitFor(Duration.ZERO);
    private static final ClaimPolicy AGAIN = ONCE.withGuarantee(Guarantee.AT_LEAST_ONCE);
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1});
    private static final Outcome OUTCOME = Outcome.of(new byte[] {4, 2});
    private static final KeyId ID = KeyId.of("t", "POST /v1/charges", "k");

    private final HandClock clock = new HandClock();
    private final InMemoryKeyStore before = new InMemoryKeyStore(clock);
    private final InMemoryKeyStore store = new InMemoryKeyStore(clock);
    private final List<Semel> started = new ArrayList<>();

    @AfterEach
    void close() {
        started.forEach(Semel::close);
    }

    /** What may be known of a key before it moves, and what a claim of it is told after that. */
    enum Start {
        UNKNOWN(Claim.Granted.class),
        AT_WORK(Claim.InProgress.class),
        SILENT(Claim.InDoubt.class),
        SILENT_MAY_RUN_AGAIN(Claim.Granted.class),
        FREE(Claim.Granted.class),
        IN_DOUBT(Claim.InDoubt.class),
        DONE(Claim.AlreadyDone.class),
        SPENT(Claim.Spent.class),
        FORGOTTEN(Claim.Granted.class);

        final Class<? extends Claim> told;

        Start(Class<? extends Claim> told) {
            this.told = told;
        }
    }

    private Semel on(KeyStore store) {
        Semel semel = Semel.on(store)
                .sweepEvery(Duration.ZERO)
                .patience(Duration.ofMillis(50))
                .start();
        started.add(semel);
        return semel;
    }

    private DualReadKeyStore both() {
        return DualReadKeyStore.of(store, before);
    }

    private static Claim claim(Semel semel, Start start) {
        return semel.claim(new ClaimRequest(ID, ASKED, start == Start.SILENT_MAY_RUN_AGAIN ? AGAIN : ONCE));
    }

    /** Lives so far in the store before. */
    private @Nullable Lease begin(Start start) {
        if (start == Start.UNKNOWN) return null;
        Lease lease =
                assertInstanceOf(Claim.Granted.class, claim(on(before), start)).lease();
        switch (start) {
            case AT_WORK, UNKNOWN -> {}
            case SILENT, SILENT_MAY_RUN_AGAIN -> clock.advance(ONCE.lease().plusSeconds(1));
            case FREE -> lease.release();
            case IN_DOUBT -> lease.doubt("sent, no answer");
            case DONE -> lease.complete(OUTCOME);
            case SPENT -> {
                lease.complete(OUTCOME);
                clock.advance(ONCE.retention().plusSeconds(1));
            }
            case FORGOTTEN -> {
                lease.complete(OUTCOME);
                clock.advance(ONCE.retention().plus(ONCE.tombstone()).plusSeconds(1));
            }
        }
        return lease;
    }

    @ParameterizedTest
    @EnumSource
    void a_claim_finds_what_is_known_in_the_store_before(Start start) {
        Lease first = begin(start);
        Claim told = claim(on(both()), start);
        assertInstanceOf(start.told, told);
        if (told instanceof Claim.Granted granted && first != null)
            assertTrue(granted.lease().token() > first.token(), "a token only grows");
        if (told instanceof Claim.AlreadyDone done) assertEquals(OUTCOME, done.outcome());
        if (told instanceof Claim.InDoubt doubt)
            assertEquals(Objects.requireNonNull(first).token(), doubt.token());
    }

    @ParameterizedTest
    @EnumSource
    void who_knows_only_the_store_before_never_runs_what_has_left_it(Start start) {
        begin(start);
        Semel late = on(before);
        claim(on(both()), start);
        if (start == Start.DONE || start == Start.SPENT || start == Start.AT_WORK)
            assertInstanceOf(start.told, claim(late, start));
        else assertThrows(StoreException.class, () -> claim(late, start));
    }

    @Test
    void a_holder_at_work_in_the_store_before_is_heard_and_then_replayed() {
        Lease lease = Objects.requireNonNull(begin(Start.AT_WORK));
        Semel both = on(both());
        assertInstanceOf(Claim.InProgress.class, claim(both, Start.AT_WORK));
        assertInstanceOf(Settlement.Accepted.class, lease.complete(OUTCOME));
        assertEquals(
                OUTCOME,
                assertInstanceOf(Claim.AlreadyDone.class, claim(both, Start.AT_WORK))
                        .outcome());
        assertEquals(
                Objects.requireNonNull(before.find(ID)).record().token(),
                found(store).token());
    }

    /** Else a key could be held there after everything was migrated, and nobody would look there any more. */
    @Test
    void who_waited_for_a_key_in_the_store_before_is_granted_it_in_the_new_one() throws Exception {
        Lease lease = Objects.requireNonNull(begin(Start.AT_WORK));
        Semel both = on(both());
        ClaimRequest patient = new ClaimRequest(ID, ASKED, ONCE.withWaitFor(Duration.ofMinutes(1)));
        CompletableFuture<Claim> told = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> told.complete(both.claim(patient)));
        while (both.waitingHere() == 0) Thread.onSpinWait();
        lease.release();
        assertInstanceOf(Claim.Granted.class, told.get(1, TimeUnit.MINUTES));
        assertTrue(MoveMark.isLeft(found(before)));
    }

    @Test
    void a_late_holder_is_not_heard_in_the_store_that_its_key_has_left() {
        Lease lease = Objects.requireNonNull(begin(Start.SILENT_MAY_RUN_AGAIN));
        Lease second = assertInstanceOf(Claim.Granted.class, claim(on(both()), Start.SILENT_MAY_RUN_AGAIN))
                .lease();
        assertInstanceOf(Settlement.Superseded.class, lease.complete(OUTCOME));
        assertInstanceOf(Settlement.Accepted.class, second.complete(OUTCOME));
    }

    /** Somebody outside holds a key by its token, and does not know through which gateway its answer goes. */
    @Test
    void a_remote_holder_is_heard_through_whoever_knows_both() {
        before.insert(new NewKey(ID, ASKED, "h", Duration.ofHours(1), Guarantee.AT_MOST_ONCE, true, Memo.NONE));
        Settlement settled =
                on(both()).remoteLease(ID, found(before).token(), ONCE).complete(OUTCOME);
        assertInstanceOf(Settlement.Accepted.class, settled);
        assertInstanceOf(Claim.AlreadyDone.class, claim(on(both()), Start.AT_WORK));
    }

    @Test
    void the_first_fingerprint_stays() {
        begin(Start.FREE);
        Fingerprint other = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {2});
        assertInstanceOf(Claim.Mismatched.class, on(both()).claim(new ClaimRequest(ID, other, ONCE)));
    }

    /** A process that dies at a write: before it, or when it is done and nobody has heard of it. */
    private static final class Mortal extends ForwardingKeyStore {
        private final int[] writesLeft;
        private final boolean writesTheLast;

        Mortal(KeyStore store, int[] writesLeft, boolean writesTheLast) {
            super(store);
            this.writesLeft = writesLeft;
            this.writesTheLast = writesTheLast;
        }

        private <T> T write(Supplier<T> write) {
            if (writesLeft[0] < 0) throw StoreException.notApplied("dead", null);
            if (writesLeft[0]-- > 0) return write.get();
            if (writesTheLast) write.get();
            throw StoreException.notApplied("dead", null);
        }

        @Override
        public Inserted insert(NewKey key) {
            return write(() -> behind().insert(key));
        }

        @Override
        public Replaced replace(KeyRecord seen, Change change) {
            return write(() -> behind().replace(seen, change));
        }

        @Override
        public void close() {}
    }

    /** M0 to M5, F0 to F2, and D0 to D2, each just before and just after the write. */
    @ParameterizedTest
    @EnumSource
    void wherever_a_move_is_cut_off_nothing_is_lost_and_nothing_runs_twice(Start start) {
        for (int point = 0; point <= 6; point++)
            for (boolean written : List.of(false, true)) new MoveTest().cutOff(start, point, written);
    }

    private void cutOff(Start start, int point, boolean written) {
        String where = start + ", cut off at write " + point + (written ? ", written" : ", not written");
        Lease first = begin(start);
        int[] left = {point};
        int ran = 0;
        try {
            Semel dying = on(DualReadKeyStore.of(new Mortal(store, left, written), new Mortal(before, left, written)));
            if (claim(dying, start) instanceof Claim.Granted) ran++;
        } catch (StoreException dead) {
            assertTrue(left[0] < 0, where);
        }
        // The seal may not be there yet: then the key may run where it always ran, but not also elsewhere.
        if (point > 0 || written) if (isGranted(on(before), start)) ran++;
        Claim told = claim(on(both()), start);
        if (told instanceof Claim.Granted granted) {
            ran++;
            if (first != null) assertTrue(granted.lease().token() > first.token(), where);
        }
        assertTrue(ran <= 1, where + ": ran " + ran + " times");
        if (ran == 0 && start.told != Claim.Granted.class) assertInstanceOf(start.told, told, where);
        if (told instanceof Claim.InDoubt doubt && start == Start.IN_DOUBT)
            assertEquals("sent, no answer", doubt.reason(), where);
        assertFalse(isGranted(on(before), start), where + ": ran late");
        close();
    }

    private static boolean isGranted(Semel semel, Start start) {
        try {
            return claim(semel, start) instanceof Claim.Granted;
        } catch (StoreException moved) {
            return false;
        }
    }

    private static KeyRecord found(KeyStore store) {
        Seen seen = Objects.requireNonNull(store.find(ID));
        return Objects.requireNonNull(seen.record().asOf(seen.now()));
    }

    private MigrationReport migrate(KeyStore from, KeyStore to) {
        return Migration.of(from, to, Outcome::clearPart).run(report -> {});
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"UNKNOWN", "FORGOTTEN", "AT_WORK"})
    void a_migrated_record_is_the_same_as_before(Start start) {
        begin(start);
        KeyRecord was = found(before);
        MigrationReport report = migrate(before, store);
        assertEquals(1, report.copied());
        assertTrue(report.isComplete());
        KeyRecord is = found(store);
        assertEquals(was.token(), is.token());
        assertEquals(was.attempt(), is.attempt());
        assertEquals(was.fingerprint(), is.fingerprint());
        assertEquals(was.history(), is.history());
        assertEquals(was.memo(), is.memo());
        assertEquals(was.remote(), is.remote());
        if (start == Start.FREE)
            assertEquals(((KeyState.Free) was.state()).forgetAt(), ((KeyState.Free) is.state()).forgetAt());
        else if (start == Start.SILENT || start == Start.SILENT_MAY_RUN_AGAIN)
            assertEquals(((KeyState.Held) was.state()).guarantee(), ((KeyState.Held) is.state()).guarantee());
        else assertEquals(was.state(), is.state());
        if (start != Start.FREE) assertEquals(was.since(), is.since());

        MigrationReport again = migrate(before, store);
        assertEquals(0, again.copied());
        assertEquals(1, again.thereBefore());
        assertEquals(is, found(store));
    }

    @Test
    void memo_and_remote_holder_come_along() {
        NewKey claim = new NewKey(
                ID, ASKED, "h", Duration.ofSeconds(1), Guarantee.AT_LEAST_ONCE, true, Memo.of(new byte[] {9}));
        before.insert(claim);
        clock.advance(Duration.ofSeconds(2));
        KeyRecord was = found(before);
        migrate(before, store);
        assertEquals(was.memo(), found(store).memo());
        assertTrue(found(store).remote());
    }

    @Test
    void who_is_at_work_is_left_and_comes_with_the_next_run() {
        Lease lease = Objects.requireNonNull(begin(Start.AT_WORK));
        MigrationReport report = migrate(before, store);
        assertEquals(1, report.running());
        assertFalse(report.isComplete());
        assertNull(store.find(ID));
        lease.complete(OUTCOME);
        assertTrue(migrate(before, store).isComplete());
        assertEquals(OUTCOME, ((KeyState.Done) found(store).state()).outcome());
    }

    @Test
    void what_has_moved_on_in_the_new_store_stays() {
        begin(Start.FREE);
        Lease lease = assertInstanceOf(Claim.Granted.class, claim(on(both()), Start.FREE))
                .lease();
        lease.complete(OUTCOME);
        MigrationReport report = migrate(before, store);
        assertEquals(0, report.copied());
        assertEquals(1, report.thereBefore());
        assertEquals(OUTCOME, ((KeyState.Done) found(store).state()).outcome());
    }

    @Test
    void a_migration_that_was_cut_off_goes_on() {
        for (int point = 0; point < 5; point++) {
            MoveTest run = new MoveTest();
            run.begin(Start.IN_DOUBT);
            KeyRecord was = found(run.before);
            int[] left = {point};
            run.migrate(new Indexed(new Mortal(run.before, left, true), run.before), new Mortal(run.store, left, true));
            MigrationReport report = run.migrate(run.before, run.store);
            assertTrue(report.isComplete(), report.toString());
            assertEquals(was.token(), found(run.store).token());
            assertEquals(was.state(), found(run.store).state());
            run.close();
        }
    }

    /** A store whose calls go one way, and whose index another. */
    private static final class Indexed extends ForwardingKeyStore {
        private final KeyStore index;

        Indexed(KeyStore store, KeyStore index) {
            super(store);
            this.index = index;
        }

        @Override
        public @Nullable KeyIndex index() {
            return index.index();
        }
    }

    @Test
    void an_outcome_that_is_too_large_is_recorded_without_its_body() {
        Lease lease = Objects.requireNonNull(begin(Start.AT_WORK));
        lease.complete(Outcome.of(Outcome.Format.BYTES, new byte[1000], 3));
        KeyStore small = new ForwardingKeyStore(store) {
            @Override
            public StoreTraits traits() {
                return super.traits().withLargestOutcome(500);
            }
        };
        MigrationReport report = migrate(before, small);
        assertEquals(1, report.withoutBody());
        assertTrue(((KeyState.Done) found(store).state()).outcome().isShredded());
    }

    @Test
    void what_cannot_be_brought_is_named() {
        begin(Start.DONE);
        FlakyKeyStore broken = new FlakyKeyStore(store).failWrites(Fault.REFUSED, Fault.REFUSED, Fault.REFUSED);
        MigrationReport report = migrate(before, broken);
        assertEquals(1, report.failed());
        assertEquals(List.of(ID + ": planned: refused"), report.leftOut());
        assertTrue(migrate(before, broken).isComplete());
    }

    @ParameterizedTest
    @EnumSource
    void a_fleet_can_go_back(Start start) {
        begin(start);
        Claim there = claim(on(both()), start);
        if (there instanceof Claim.Granted granted) granted.lease().complete(OUTCOME);
        if (start != Start.AT_WORK) assertTrue(migrate(store, before).isComplete());
        else clock.advance(ONCE.lease().plusSeconds(1));
        migrate(store, before);
        Claim back = claim(on(before), start);
        if (there instanceof Claim.Granted) assertInstanceOf(Claim.AlreadyDone.class, back);
        else if (start == Start.AT_WORK) assertInstanceOf(Claim.InDoubt.class, back);
        else assertInstanceOf(start.told, back);
    }

    /** M2, and then the fleet goes back: what is below the seal is the key again. */
    @Test
    void a_move_that_was_cut_off_is_undone_on_the_way_back() {
        for (boolean byClaim : List.of(true, false)) {
            MoveTest run = new MoveTest();
            run.begin(Start.IN_DOUBT);
            int[] left = {2};
            Semel dying = run.on(
                    DualReadKeyStore.of(new Mortal(run.store, left, false), new Mortal(run.before, left, false)));
            assertThrows(StoreException.class, () -> claim(dying, Start.IN_DOUBT));
            assertTrue(MoveMark.isLeft(found(run.before)));
            if (!byClaim) run.migrate(run.store, run.before);
            KeyStore back = byClaim ? DualReadKeyStore.of(run.before, run.store) : run.before;
            assertInstanceOf(Claim.InDoubt.class, claim(run.on(back), Start.IN_DOUBT));
            run.close();
        }
    }

    /** F1, and then the fleet goes back: nobody runs under this seal, and nobody has to wait for it. */
    @Test
    void an_empty_seal_is_lifted_on_the_way_back() {
        int[] left = {1};
        Semel dying = on(DualReadKeyStore.of(new Mortal(store, left, false), new Mortal(before, left, false)));
        assertThrows(StoreException.class, () -> claim(dying, Start.UNKNOWN));
        assertFalse(isGranted(on(before), Start.UNKNOWN));
        assertEquals(1, migrate(store, before).lifted());
        assertInstanceOf(Claim.Granted.class, claim(on(before), Start.UNKNOWN));
    }

    /** The last version of a resource is rewritten again and again: there is one place for it at a time. */
    @Test
    void what_semel_keeps_for_itself_leaves_by_a_seal_and_stays_readable() {
        KeyId version = KeyId.reserved("", "order", "/a");
        NewKey first = new NewKey(version, Fingerprint.none(), "h", Duration.ofSeconds(1));
        before.insert(first);
        KeyRecord held = Objects.requireNonNull(before.find(version)).record();
        before.replace(held, Change.of(held, new Next.Done(OUTCOME, ONCE.retention(), Duration.ZERO)));
        KeyRecord was = Objects.requireNonNull(before.find(version)).record();
        both().insert(first);
        KeyRecord here = Objects.requireNonNull(store.find(version)).record();
        KeyRecord there = Objects.requireNonNull(before.find(version)).record();
        assertEquals(was.state(), here.state());
        assertTrue(MoveMark.isLeft(there));
        assertEquals(OUTCOME, ((KeyState.Done) there.state()).outcome());
    }

    @Test
    void each_key_is_listed_once() {
        begin(Start.IN_DOUBT);
        before.insert(new NewKey(KeyId.of("", "op", "at work"), ASKED, "h", Duration.ofHours(1)));
        claim(on(both()), Start.IN_DOUBT);
        on(both()).claim(new ClaimRequest(KeyId.of("", "op", "fresh"), ASKED, ONCE));
        KeyIndex index = Objects.requireNonNull(both().index());
        List<String> names = new ArrayList<>();
        String after = null;
        do {
            Listing.Page page = index.list(new Listing(null, EnumSet.allOf(KeyState.Kind.class), 1, after));
            page.lines().forEach(line -> names.add(line.id().key()));
            after = page.next();
        } while (after != null);
        assertEquals(List.of("at work", "fresh", "k"), names.stream().sorted().toList());
    }

    @Test
    void both_stores_are_swept() {
        begin(Start.FORGOTTEN);
        KeyIndex index = Objects.requireNonNull(both().index());
        while (!index.sweep(10).finished()) {}
        assertNull(before.find(ID));
    }

    @Test
    void a_store_before_that_does_not_answer_grants_nothing() {
        FlakyKeyStore away = new FlakyKeyStore(before);
        DualReadKeyStore both = DualReadKeyStore.of(store, away);
        begin(Start.DONE);
        claim(on(both), Start.DONE);
        away.down(true);
        assertInstanceOf(Claim.AlreadyDone.class, claim(on(both), Start.DONE), "what has come needs it no more");
        Semel semel = on(both);
        ClaimRequest other = new ClaimRequest(KeyId.of("", "op", "other"), ASKED, ONCE);
        assertThrows(StoreException.class, () -> semel.claim(other));
        assertNull(store.find(other.id()));
    }

    @Test
    void clocks_that_are_wrong_are_refused() {
        HandClock other = new HandClock(clock.instant().plusSeconds(60));
        InMemoryKeyStore ahead = new InMemoryKeyStore(other);
        assertThrows(IllegalStateException.class, () -> DualReadKeyStore.of(store, ahead));
        assertThrows(IllegalStateException.class, () -> Migration.of(ahead, store, Outcome::clearPart));
    }

    @Test
    void tokens_grow_also_when_the_clock_of_the_new_store_is_behind() {
        HandClock slow = new HandClock(clock.instant().minusSeconds(9));
        InMemoryKeyStore behind = new InMemoryKeyStore(slow);
        Semel both = on(DualReadKeyStore.of(behind, before));
        Lease lease = Objects.requireNonNull(begin(Start.AT_WORK));
        lease.complete(OUTCOME);
        Duration life = ONCE.retention().plus(ONCE.tombstone()).plusSeconds(1);
        clock.advance(life);
        slow.advance(life);
        Lease second = assertInstanceOf(Claim.Granted.class, claim(both, Start.UNKNOWN))
                .lease();
        assertTrue(second.token() > lease.token());
        Seen seal = before.find(ID);
        assertNotNull(seal);
        assertTrue(second.token() > seal.record().token());
    }

    @Test
    void no_transaction_is_joined() {
        assertNull(both().joining());
        assertFalse(both().traits().joins());
        assertFalse(both().traits().counts());
    }
}
