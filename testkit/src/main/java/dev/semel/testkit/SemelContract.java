package dev.semel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.Resolution;
import dev.semel.core.claim.ResolveAnswer;
import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.Settlement;
import dev.semel.core.claim.WaitLimits;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.StoreException;
import dev.semel.core.time.HandTime;
import dev.semel.testkit.FlakyKeyStore.Fault;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The life of a key, row by row, through the engine on a real store. A store's test extends this beside
 * {@link KeyStoreContract}.
 */
public abstract class SemelContract {
    private static final ClaimPolicy AT_ONCE = ClaimPolicy.DEFAULT.withWaitFor(Duration.ZERO);
    private static final ClaimPolicy PATIENT = ClaimPolicy.DEFAULT.withWaitFor(Duration.ofSeconds(60));
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1});
    private static final Fingerprint OTHER = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {2});

    private final KeyId id = KeyId.of("", "POST /v1/charges", UUID.randomUUID().toString());
    private final List<Semel> started = new ArrayList<>();

    /** The store under test. */
    protected abstract KeyStore store();

    /** Lets so much time pass on the store's own clock, for every record in it. */
    protected abstract void pass(Duration time);

    /** An engine as another process would have it. */
    protected final Semel semel() {
        return start(Semel.on(store()));
    }

    protected final Semel start(Semel.Builder builder) {
        // Who sweeps here does so by hand.
        Semel semel = builder.sweepEvery(Duration.ZERO).start();
        started.add(semel);
        return semel;
    }

    @AfterEach
    void stop() {
        started.forEach(Semel::close);
    }

    private ClaimRequest ask(ClaimPolicy policy) {
        return new ClaimRequest(id, ASKED, policy);
    }

    private Lease granted(Semel semel, ClaimPolicy policy) {
        return assertInstanceOf(Claim.Granted.class, semel.claim(ask(policy))).lease();
    }

    private static Outcome outcome(String text) {
        return Outcome.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private KeyState stateNow() {
        return Objects.requireNonNull(store().find(id)).record().state();
    }

    @Nested
    public class Claiming {
        @Test
        void a_new_key_is_granted_once_and_its_outcome_replayed_to_everyone() {
            Semel semel = semel();
            Lease lease = granted(semel, AT_ONCE);
            assertEquals(1, lease.attempt());
            assertInstanceOf(Claim.InProgress.class, semel.claim(ask(AT_ONCE)));
            assertInstanceOf(Settlement.Accepted.class, lease.complete(outcome("charged")));
            for (int i = 0; i < 3; i++) {
                Claim.AlreadyDone done = assertInstanceOf(Claim.AlreadyDone.class, semel.claim(ask(AT_ONCE)));
                assertEquals(outcome("charged"), done.outcome());
            }
        }

        @Test
        void another_fingerprint_is_a_mismatch_in_every_state() {
            Semel semel = semel();
            ClaimRequest other = new ClaimRequest(id, OTHER, AT_ONCE);
            Lease first = granted(semel, AT_ONCE);
            assertInstanceOf(Claim.Mismatched.class, semel.claim(other), "held");
            first.release();
            assertInstanceOf(Claim.Mismatched.class, semel.claim(other), "free");
            Lease second = granted(semel, AT_ONCE);
            second.doubt("?");
            assertInstanceOf(Claim.Mismatched.class, semel.claim(other), "in doubt");
            semel.resolve(id, second.token(), new Resolution.DidNotHappen(Duration.ofHours(1)), "op", "checked");
            granted(semel, AT_ONCE).complete(outcome("x"));
            assertInstanceOf(Claim.Mismatched.class, semel.claim(other), "done");
            pass(AT_ONCE.retention().plusSeconds(1));
            assertInstanceOf(Claim.Mismatched.class, semel.claim(other), "spent");
            pass(AT_ONCE.tombstone());
            assertInstanceOf(Claim.Granted.class, semel.claim(other), "forgotten");
        }

        @Test
        void tokens_grow_across_release_take_over_and_forgetting() {
            Semel semel = semel();
            ClaimPolicy again = AT_ONCE.withGuarantee(Guarantee.AT_LEAST_ONCE);
            Lease first = granted(semel, again);
            first.release();
            Lease second = granted(semel, again);
            assertEquals(2, second.attempt());
            assertTrue(second.token() > first.token());
            pass(again.lease().plusSeconds(1));
            Lease third = granted(semel(), again);
            assertEquals(3, third.attempt());
            assertTrue(third.token() > second.token());
            third.complete(outcome("x"));
            pass(again.retention().plus(again.tombstone()).plusSeconds(1));
            Lease fourth = granted(semel, again);
            assertEquals(1, fourth.attempt(), "a new life");
            assertTrue(fourth.token() > third.token());
            fourth.release();
            pass(again.retention().plusSeconds(1));
            for (int pass = 0; pass < 2; pass++)
                while (!Objects.requireNonNull(store().index()).sweep(1000).finished()) {}
            Lease fifth = granted(semel, again);
            assertTrue(fifth.token() > fourth.token());
        }

        @Test
        void a_spent_key_is_refused_and_says_when_it_was_done() {
            Semel semel = semel();
            granted(semel, AT_ONCE).complete(outcome("x"));
            pass(AT_ONCE.retention().plusSeconds(1));
            assertInstanceOf(Claim.Spent.class, semel.claim(ask(AT_ONCE)));
        }

        @Test
        void of_64_duplicates_one_runs_and_all_get_its_outcome() throws Exception {
            Semel here = semel();
            Semel there = semel();
            AtomicInteger effects = new AtomicInteger();
            List<Outcome> outcomes = together(64, i -> {
                switch ((i % 2 == 0 ? here : there).claim(ask(PATIENT))) {
                    case Claim.Granted it -> {
                        Outcome mine = outcome("effect " + effects.incrementAndGet());
                        assertInstanceOf(Settlement.Accepted.class, it.lease().complete(mine));
                        return mine;
                    }
                    case Claim.AlreadyDone it -> {
                        return it.outcome();
                    }
                    case Claim other -> throw new AssertionError(other);
                }
            });
            assertEquals(1, effects.get());
            for (Outcome outcome : outcomes) assertEquals(outcome("effect 1"), outcome);
        }
    }

    @Nested
    public class Silence {
        @Test
        void at_most_once_a_silent_holder_leaves_a_doubt_and_nobody_runs_again() {
            Semel dead = semel();
            granted(dead, AT_ONCE);
            pass(AT_ONCE.lease().plusSeconds(1));
            Semel alive = semel();
            assertInstanceOf(Claim.InDoubt.class, alive.claim(ask(AT_ONCE)));
            assertInstanceOf(Claim.InDoubt.class, alive.claim(ask(AT_ONCE)));
        }

        @Test
        void a_late_but_true_answer_ends_the_doubt() {
            Lease late = granted(semel(), AT_ONCE);
            pass(AT_ONCE.lease().plusSeconds(1));
            Semel alive = semel();
            assertInstanceOf(Claim.InDoubt.class, alive.claim(ask(AT_ONCE)));
            assertInstanceOf(Settlement.Accepted.class, late.complete(outcome("late")));
            Claim.AlreadyDone done = assertInstanceOf(Claim.AlreadyDone.class, alive.claim(ask(AT_ONCE)));
            assertEquals(outcome("late"), done.outcome());
        }

        @Test
        void at_least_once_the_next_attempt_takes_over_and_the_late_holder_changes_nothing() {
            ClaimPolicy again = AT_ONCE.withGuarantee(Guarantee.AT_LEAST_ONCE);
            Lease complete = granted(semel(), again);
            pass(again.lease().plusSeconds(1));
            Lease release = granted(semel(), again);
            pass(again.lease().plusSeconds(1));
            Lease doubt = granted(semel(), again);
            pass(again.lease().plusSeconds(1));
            Semel winner = semel();
            Lease won = granted(winner, again);
            assertEquals(4, won.attempt());
            assertInstanceOf(Settlement.Superseded.class, complete.complete(outcome("zombie")));
            assertInstanceOf(Settlement.Superseded.class, release.release());
            assertInstanceOf(Settlement.Superseded.class, doubt.doubt("zombie"));
            assertInstanceOf(KeyState.Held.class, stateNow());
            assertInstanceOf(Settlement.Accepted.class, won.complete(outcome("winner")));
            Claim.AlreadyDone done = assertInstanceOf(Claim.AlreadyDone.class, winner.claim(ask(again)));
            assertEquals(outcome("winner"), done.outcome());
        }

        @Test
        void a_key_runs_again_only_if_all_its_callers_agreed_to_that() {
            ClaimPolicy again = AT_ONCE.withGuarantee(Guarantee.AT_LEAST_ONCE);
            for (ClaimPolicy first : List.of(AT_ONCE, again)) {
                for (ClaimPolicy second : List.of(AT_ONCE, again)) {
                    KeyId key = KeyId.of("", "promised", first.guarantee() + " " + second.guarantee());
                    assertInstanceOf(Claim.Granted.class, semel().claim(new ClaimRequest(key, ASKED, first)));
                    pass(AT_ONCE.lease().plusSeconds(1));
                    Claim claim = semel().claim(new ClaimRequest(key, ASKED, second));
                    boolean agreed = first.equals(again) && second.equals(again);
                    Class<? extends Claim> expected = agreed ? Claim.Granted.class : Claim.InDoubt.class;
                    assertInstanceOf(expected, claim, key::toString);
                }
            }
        }

        @Test
        void a_doubt_stays_until_someone_who_knows_ends_it() {
            Semel semel = semel();
            Lease lease = granted(semel, AT_ONCE);
            lease.doubt("sent, no answer");
            Claim.InDoubt doubt = assertInstanceOf(Claim.InDoubt.class, semel.claim(ask(AT_ONCE)));
            assertEquals("sent, no answer", doubt.reason());
            Resolution found = new Resolution.Completed(outcome("found"), Duration.ofHours(1), Duration.ZERO);
            assertInstanceOf(
                    ResolveAnswer.Refused.class,
                    semel.resolve(id, doubt.token() - 1, found, "op", "looked at an older one"));
            assertInstanceOf(ResolveAnswer.Accepted.class, semel.resolve(id, doubt.token(), found, "op", "saw it"));
            assertInstanceOf(ResolveAnswer.Refused.class, semel.resolve(id, doubt.token(), found, "op", "again"));
            assertEquals(
                    outcome("found"),
                    assertInstanceOf(Claim.AlreadyDone.class, semel.claim(ask(AT_ONCE)))
                            .outcome());
        }

        @Test
        void a_doubt_that_did_not_happen_may_run_again_with_a_higher_token() {
            Semel semel = semel();
            Lease lease = granted(semel, AT_ONCE);
            lease.doubt("?");
            semel.resolve(id, lease.token(), new Resolution.DidNotHappen(Duration.ofHours(1)), "op", "not there");
            Lease again = granted(semel, AT_ONCE);
            assertTrue(again.token() > lease.token());
            assertEquals(2, again.attempt());
        }

        @Test
        void a_key_taken_from_its_holder_runs_again_and_the_late_holder_changes_nothing() {
            Semel semel = semel();
            Lease first = granted(semel, AT_ONCE);
            Duration keep = Duration.ofHours(1);
            assertInstanceOf(
                    ResolveAnswer.Refused.class, semel.forceRelease(id, first.token() - 1, "op", "an older one", keep));
            assertInstanceOf(KeyState.Held.class, stateNow());
            assertInstanceOf(
                    ResolveAnswer.Accepted.class, semel.forceRelease(id, first.token(), "op", "it hangs", keep));
            assertInstanceOf(KeyState.Free.class, stateNow());
            Lease second = granted(semel, AT_ONCE);
            assertTrue(second.token() > first.token());
            assertEquals(2, second.attempt());
            assertInstanceOf(Settlement.Superseded.class, first.complete(outcome("late")));
            assertInstanceOf(Settlement.Accepted.class, second.complete(outcome("charged")));
            assertInstanceOf(
                    ResolveAnswer.Refused.class, semel.forceRelease(id, second.token(), "op", "what is done", keep));
        }

        @Test
        void a_true_late_answer_counts_also_when_the_key_was_freed_and_nobody_let_in_since() {
            Semel semel = semel();
            Lease lease = granted(semel, AT_ONCE);
            semel.forceRelease(id, lease.token(), "op", "it hangs", Duration.ofHours(1));
            assertInstanceOf(KeyState.Free.class, stateNow());
            assertInstanceOf(Settlement.Accepted.class, lease.complete(outcome("late")));
            Claim.AlreadyDone done = assertInstanceOf(Claim.AlreadyDone.class, semel.claim(ask(AT_ONCE)));
            assertEquals(outcome("late"), done.outcome());
        }

        @Test
        void who_knows_that_nothing_was_sent_ends_the_doubt_that_began_meanwhile() {
            Lease late = granted(semel(), AT_ONCE);
            pass(AT_ONCE.lease().plusSeconds(1));
            Semel alive = semel();
            assertInstanceOf(Claim.InDoubt.class, alive.claim(ask(AT_ONCE)));
            assertInstanceOf(Settlement.Accepted.class, late.release());
            Lease again = granted(alive, AT_ONCE);
            assertTrue(again.token() > late.token());
            assertInstanceOf(Settlement.Accepted.class, again.complete(outcome("charged")));
        }

        @Test
        void a_silent_holder_can_be_made_a_doubt_without_a_claim() {
            Semel dead = semel();
            Lease lease = granted(dead, AT_ONCE);
            Semel alive = semel();
            assertInstanceOf(
                    KeyState.Held.class,
                    Objects.requireNonNull(alive.expireLease(id, AT_ONCE))
                            .record()
                            .state());
            dead.close();
            pass(AT_ONCE.lease());
            KeyState settled = Objects.requireNonNull(alive.expireLease(id, AT_ONCE))
                    .record()
                    .state();
            assertInstanceOf(KeyState.InDoubt.class, settled);
            assertEquals(settled, stateNow());
            assertInstanceOf(Settlement.Accepted.class, lease.complete(outcome("late but true")));
        }

        @Test
        void at_least_once_a_lost_answer_frees_the_key_at_once() {
            Semel semel = semel();
            ClaimPolicy again = AT_ONCE.withGuarantee(Guarantee.AT_LEAST_ONCE);
            assertInstanceOf(Settlement.Accepted.class, granted(semel, again).doubt("no answer"));
            assertEquals(2, granted(semel, again).attempt());
        }

        @Test
        void a_lease_closed_without_a_word_is_a_doubt() {
            Semel semel = semel();
            granted(semel, AT_ONCE).close();
            assertInstanceOf(Claim.InDoubt.class, semel.claim(ask(AT_ONCE)));
        }
    }

    @Nested
    public class Waiting {
        @Test
        void a_waiter_is_woken_by_the_outcome_from_its_own_process() throws Exception {
            Semel semel = semel();
            wakes(semel, semel);
        }

        @Test
        void a_waiter_is_woken_by_the_outcome_from_another_process() throws Exception {
            wakes(semel(), semel());
        }

        private void wakes(Semel holding, Semel waiting) throws Exception {
            Lease lease = granted(holding, PATIENT);
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<Claim> waiter = threads.submit(() -> waiting.claim(ask(PATIENT)));
                await(() -> waiting.waitingHere() == 1);
                assertFalse(waiter.isDone());
                lease.complete(outcome("worth the wait"));
                Claim.AlreadyDone done = assertInstanceOf(Claim.AlreadyDone.class, waiter.get(30, TimeUnit.SECONDS));
                assertEquals(outcome("worth the wait"), done.outcome());
            }
            assertEquals(0, waiting.waitingHere());
        }

        @Test
        void a_waiter_takes_over_when_the_holder_releases() throws Exception {
            Semel semel = semel();
            Lease lease = granted(semel, PATIENT);
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<Claim> waiter = threads.submit(() -> semel.claim(ask(PATIENT)));
                await(() -> semel.waitingHere() == 1);
                lease.release();
                Claim.Granted next = assertInstanceOf(Claim.Granted.class, waiter.get(30, TimeUnit.SECONDS));
                assertEquals(2, next.lease().attempt());
            }
        }

        @Test
        void a_waiter_learns_that_the_holder_fell_silent() throws Exception {
            Semel dead = semel();
            granted(dead, PATIENT);
            dead.close();
            Semel alive = semel();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<Claim> waiter = threads.submit(() -> alive.claim(ask(PATIENT)));
                await(() -> alive.waitingHere() == 1);
                pass(PATIENT.lease().plusSeconds(1));
                assertInstanceOf(Claim.InDoubt.class, waiter.get(30, TimeUnit.SECONDS));
            }
        }

        @Test
        void a_waiter_whose_time_is_up_leaves_the_holder_alone() {
            Semel semel = semel();
            Lease lease = granted(semel, AT_ONCE);
            assertInstanceOf(Claim.InProgress.class, semel.claim(ask(AT_ONCE.withWaitFor(Duration.ofMillis(20)))));
            assertEquals(0, semel.waitingHere());
            assertInstanceOf(Settlement.Accepted.class, lease.complete(outcome("undisturbed")));
        }

        @Test
        void waiters_are_capped_per_key_and_in_all() throws Exception {
            capped(new WaitLimits(2, 100, Duration.ofMillis(50)));
            capped(new WaitLimits(100, 2, Duration.ofMillis(50)));
        }

        private void capped(WaitLimits limits) throws Exception {
            Semel semel = start(Semel.on(store()).waitLimits(limits));
            KeyId mine = KeyId.of("", "capped", UUID.randomUUID().toString());
            ClaimRequest request = new ClaimRequest(mine, ASKED, PATIENT);
            Lease lease = ((Claim.Granted) semel.claim(request)).lease();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Claim>> waiters = new ArrayList<>();
                for (int i = 0; i < 2; i++) waiters.add(threads.submit(() -> semel.claim(request)));
                await(() -> semel.waitingHere() == 2);
                assertInstanceOf(Claim.TooManyWaiters.class, semel.claim(request));
                lease.complete(outcome("x"));
                for (Future<Claim> waiter : waiters)
                    assertInstanceOf(Claim.AlreadyDone.class, waiter.get(30, TimeUnit.SECONDS));
            }
        }
    }

    @Nested
    public class Renewal {
        private final HandTime time = new HandTime();

        @Test
        void a_lease_is_renewed_for_as_long_as_its_holder_runs() throws Exception {
            Semel semel = start(Semel.on(store()).time(time));
            Lease lease = granted(semel, AT_ONCE);
            for (int i = 0; i < 3; i++) {
                long before = Objects.requireNonNull(store().find(id)).record().revision();
                time.advance(AT_ONCE.lease().dividedBy(2));
                await(() -> Objects.requireNonNull(store().find(id)).record().revision() > before);
            }
            assertFalse(lease.isLost());
            assertTrue(lease.isSurelyHeld());
            assertInstanceOf(Settlement.Accepted.class, lease.complete(outcome("slow")));
        }

        @Test
        void a_holder_that_was_overtaken_learns_it_and_renews_nothing() throws Exception {
            ClaimPolicy again = AT_ONCE.withGuarantee(Guarantee.AT_LEAST_ONCE);
            CountDownLatch lost = new CountDownLatch(1);
            Semel frozen = start(Semel.on(store()).time(time).listener(event -> {
                if (event instanceof SemelEvent.LeaseLost) lost.countDown();
            }));
            Lease old = granted(frozen, again);
            pass(again.lease());
            Lease won = granted(semel(), again);
            time.advance(again.lease());
            assertTrue(lost.await(30, TimeUnit.SECONDS));
            assertTrue(old.isLost());
            assertInstanceOf(Settlement.Accepted.class, won.complete(outcome("won")));
        }
    }

    @Nested
    public class LostAnswers {
        private FlakyKeyStore flaky = new FlakyKeyStore(new InMemoryKeyStore());
        private Semel semel = Semel.on(flaky).sweepEvery(Duration.ZERO).start();

        @BeforeEach
        void onTheRealStore() {
            semel.close();
            flaky = new FlakyKeyStore(store());
            semel = start(Semel.on(flaky).patience(Duration.ofSeconds(30)).retryPause(Duration.ofNanos(1000)));
        }

        @Test
        void a_claim_whose_answer_was_lost_is_read_back_and_counts() {
            for (Fault fault : List.of(Fault.LOST_AFTER, Fault.LOST_BEFORE)) {
                KeyId mine = KeyId.of("", "lost", UUID.randomUUID().toString());
                ClaimRequest request = new ClaimRequest(mine, ASKED, AT_ONCE);
                flaky.failWrites(fault);
                Lease lease = assertInstanceOf(Claim.Granted.class, semel.claim(request))
                        .lease();
                assertEquals(1, lease.attempt());
                assertInstanceOf(Claim.InProgress.class, semel().claim(request));
            }
        }

        @Test
        void a_claim_that_is_read_back_late_counts_from_when_it_was_read_back() {
            flaky.whenLost(() -> pass(AT_ONCE.lease().plusSeconds(1))).failWrites(Fault.LOST_AFTER);
            Lease lease = granted(semel, AT_ONCE);
            assertInstanceOf(Claim.InProgress.class, semel().claim(ask(AT_ONCE)), "a lease that has just begun");
            assertInstanceOf(Settlement.Accepted.class, lease.complete(outcome("charged")));
        }

        @Test
        void a_lost_claim_that_someone_else_won_is_not_taken_for_ours() {
            Lease theirs = granted(semel(), AT_ONCE);
            flaky.failWrites(Fault.LOST_BEFORE);
            assertInstanceOf(Claim.InProgress.class, semel.claim(ask(AT_ONCE)));
            assertInstanceOf(Settlement.Accepted.class, theirs.complete(outcome("theirs")));
        }

        @Test
        void a_take_over_whose_answer_was_lost_is_read_back() {
            ClaimPolicy again = AT_ONCE.withGuarantee(Guarantee.AT_LEAST_ONCE);
            granted(semel(), again).release();
            flaky.failWrites(Fault.NONE, Fault.LOST_AFTER);
            Lease lease = granted(semel, again);
            assertEquals(2, lease.attempt(), "granted once, not twice");
            assertInstanceOf(Settlement.Accepted.class, lease.complete(outcome("x")));
        }

        @Test
        void an_outcome_whose_answer_was_lost_is_read_back_not_assumed() {
            for (Fault fault : List.of(Fault.LOST_AFTER, Fault.LOST_BEFORE, Fault.REFUSED)) {
                KeyId mine = KeyId.of("", "lost", UUID.randomUUID().toString());
                ClaimRequest request = new ClaimRequest(mine, ASKED, AT_ONCE);
                Lease lease = ((Claim.Granted) semel.claim(request)).lease();
                flaky.failWrites(fault, fault).failReads(Fault.REFUSED);
                assertInstanceOf(Settlement.Accepted.class, lease.complete(outcome("once")));
                assertInstanceOf(Claim.AlreadyDone.class, semel().claim(request));
            }
        }

        @Test
        void a_refused_claim_says_that_nothing_was_applied() {
            flaky.failWrites(Fault.REFUSED);
            StoreException refused = assertThrows(StoreException.class, () -> semel.claim(ask(AT_ONCE)));
            assertEquals(StoreException.Applied.NO, refused.applied());
            assertInstanceOf(Claim.Granted.class, semel.claim(ask(AT_ONCE)));
        }

        /** As when a database is stopped, with the claim on its way, and goes on after longer than the lease. */
        @Test
        void a_claim_that_is_written_long_after_it_was_given_up_does_not_keep_the_key() throws Exception {
            AtomicReference<NewKey> onItsWay = new AtomicReference<>();
            FlakyKeyStore stopped = new FlakyKeyStore(store());
            KeyStore hangs = new ForwardingKeyStore(stopped) {
                @Override
                public Inserted insert(NewKey key) {
                    onItsWay.set(key);
                    stopped.down(true);
                    throw StoreException.unknown("planned: written later", null);
                }
            };
            HandTime time = new HandTime();
            Semel waits = start(Semel.on(hangs).time(time));
            assertThrows(StoreException.class, () -> waits.claim(ask(AT_ONCE)));
            time.advance(AT_ONCE.lease().multipliedBy(2));
            store().insert(Objects.requireNonNull(onItsWay.get()));
            stopped.down(false);
            await(() -> {
                time.advance(Duration.ofMillis(100));
                return stateNow().kind() == KeyState.Kind.FREE;
            });
        }

        @Test
        void a_claim_given_up_without_an_answer_does_not_keep_the_key() throws Exception {
            flaky.failWrites(Fault.LOST_AFTER, Fault.LOST_BEFORE, Fault.LOST_BEFORE);
            assertThrows(StoreException.class, () -> semel.claim(ask(AT_ONCE)));
            await(() -> stateNow() instanceof KeyState.Free);
            assertEquals(2, granted(semel(), AT_ONCE).attempt());
        }

        @Test
        void a_lost_claim_does_not_keep_the_key_when_the_next_try_is_refused() throws Exception {
            flaky.failWrites(Fault.LOST_AFTER, Fault.REFUSED);
            assertThrows(StoreException.class, () -> semel.claim(ask(AT_ONCE)));
            await(() -> stateNow() instanceof KeyState.Free);
            assertEquals(2, granted(semel(), AT_ONCE).attempt());
        }

        @Test
        void an_outcome_the_store_does_not_take_in_time_is_recorded_when_it_is_back() throws Exception {
            Semel hasty = start(Semel.on(flaky).patience(Duration.ofMillis(1)).retryPause(Duration.ofMillis(1)));
            Lease lease = granted(hasty, AT_ONCE);
            flaky.down(true);
            assertInstanceOf(Settlement.Unrecorded.class, lease.complete(outcome("late but true")));
            assertInstanceOf(KeyState.Held.class, stateNow());
            flaky.down(false);
            await(() -> stateNow() instanceof KeyState.Done);
            assertEquals(
                    outcome("late but true"),
                    assertInstanceOf(Claim.AlreadyDone.class, semel().claim(ask(AT_ONCE)))
                            .outcome());
        }

        @Test
        void closing_waits_for_a_store_that_comes_back_in_time() throws Exception {
            Semel hasty = start(Semel.on(flaky).patience(Duration.ofMillis(1)).retryPause(Duration.ofMillis(1)));
            Lease lease = granted(hasty, AT_ONCE);
            flaky.down(true);
            assertInstanceOf(Settlement.Unrecorded.class, lease.complete(outcome("charged")));
            Thread closing = Thread.ofPlatform().start(() -> hasty.close(Duration.ofSeconds(30)));
            await(() -> closing.getState() == Thread.State.TIMED_WAITING || !closing.isAlive());
            assertTrue(closing.isAlive(), "there is something left to record");
            flaky.down(false);
            assertTrue(closing.join(Duration.ofSeconds(30)));
            assertInstanceOf(KeyState.Done.class, stateNow());
        }

        @Test
        void closing_does_not_wait_for_a_given_up_claim_that_was_never_written() throws Exception {
            List<SemelEvent.LeftBehind> left = new CopyOnWriteArrayList<>();
            Semel closing =
                    start(Semel.on(flaky).retryPause(Duration.ofMillis(1)).listener(event -> {
                        if (event instanceof SemelEvent.LeftBehind it) left.add(it);
                    }));
            flaky.failWrites(Fault.LOST_BEFORE, Fault.LOST_BEFORE, Fault.LOST_BEFORE);
            assertThrows(StoreException.class, () -> closing.claim(ask(AT_ONCE)));
            Thread close = Thread.ofPlatform()
                    .start(() -> closing.close(AT_ONCE.lease().multipliedBy(2)));
            assertTrue(close.join(AT_ONCE.lease().dividedBy(3)), "there is nothing to record");
            assertEquals(List.of(), left);
        }

        @Test
        void closing_tells_what_it_leaves_behind() {
            List<SemelEvent.LeftBehind> left = new CopyOnWriteArrayList<>();
            Semel hasty = start(Semel.on(flaky)
                    .patience(Duration.ofMillis(1))
                    .retryPause(Duration.ofMillis(1))
                    .listener(event -> {
                        if (event instanceof SemelEvent.LeftBehind it) left.add(it);
                    }));
            KeyId running = KeyId.of("", "running", UUID.randomUUID().toString());
            assertInstanceOf(Claim.Granted.class, hasty.claim(new ClaimRequest(running, ASKED, AT_ONCE)));
            Lease lease = granted(hasty, AT_ONCE);
            flaky.down(true);
            assertInstanceOf(Settlement.Unrecorded.class, lease.complete(outcome("charged")));
            hasty.close(Duration.ofMillis(1));
            assertEquals(
                    List.of(id, running),
                    left.stream().map(SemelEvent.LeftBehind::id).toList());
            assertEquals(
                    List.of("its outcome", "what became of it"),
                    left.stream().map(SemelEvent.LeftBehind::word).toList());
        }
    }

    @Nested
    public class EndingDoubts extends DoubtContract {
        @Override
        protected KeyStore store() {
            return SemelContract.this.store();
        }

        @Override
        protected void pass(Duration time) {
            SemelContract.this.pass(time);
        }
    }

    @Nested
    public class HoldingElsewhere extends RemoteContract {
        @Override
        protected KeyStore store() {
            return SemelContract.this.store();
        }

        @Override
        protected void pass(Duration time) {
            SemelContract.this.pass(time);
        }
    }

    @Nested
    public class GoingOn extends StepContract {
        @Override
        protected KeyStore store() {
            return SemelContract.this.store();
        }

        @Override
        protected void pass(Duration time) {
            SemelContract.this.pass(time);
        }
    }

    @Nested
    public class KeepingQuotas extends QuotaContract {
        @Override
        protected KeyStore store() {
            return SemelContract.this.store();
        }

        @Override
        protected void pass(Duration time) {
            SemelContract.this.pass(time);
        }
    }

    static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS), "It did not happen within 30 seconds.");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits for something that happens on another thread, and fails after a long while. */
    protected static void await(Condition condition) throws Exception {
        awaitValue(() -> condition.holds() ? true : null);
    }

    private static <T> T awaitValue(Probe<T> probe) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (System.nanoTime() - end < 0) {
            T value = probe.look();
            if (value != null) return value;
            CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(2, TimeUnit.MILLISECONDS))
                    .get();
        }
        throw new AssertionError("It did not happen within 30 seconds.");
    }

    /** Something to wait for. */
    protected interface Condition {
        boolean holds() throws Exception;
    }

    private interface Probe<T> {
        @Nullable
        T look() throws Exception;
    }

    private static <T> List<T> together(int count, StoreScene.Call<T> call) throws Exception {
        return StoreScene.together(count, call);
    }
}
