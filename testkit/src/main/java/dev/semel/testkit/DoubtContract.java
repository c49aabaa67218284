package dev.semel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.Probe;
import dev.semel.core.claim.Probe.Finding;
import dev.semel.core.claim.ProbePlan;
import dev.semel.core.claim.Resolution;
import dev.semel.core.claim.ResolveAnswer;
import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreTraits.Forgetting;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How doubts end: by a probe, when a claim comes or by itself, and by whoever held the key after all. */
public abstract class DoubtContract {
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1});
    private static final Outcome CHARGED = Outcome.of("charged".getBytes(StandardCharsets.UTF_8));
    private static final Finding UNKNOWN = new Finding.StillUnknown("the bank is closed");
    private static final Finding DID_NOT_HAPPEN = new Finding.DidNotHappen();
    private static final Finding HAPPENED = new Finding.Happened(CHARGED);
    private static final Duration AFTER = Duration.ofSeconds(20);
    private static final Duration TIMEOUT = Duration.ofSeconds(50);
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final KeyId id = KeyId.of("", "POST /v1/charges", UUID.randomUUID().toString());
    private final List<Semel> started = new ArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();

    /** The store under test. */
    protected abstract KeyStore store();

    /** Lets so much time pass on the store's own clock, for every record in it. */
    protected abstract void pass(Duration time);

    private Semel start(Semel.Builder builder) {
        Semel semel = builder.sweepEvery(Duration.ZERO).start();
        started.add(semel);
        return semel;
    }

    private Semel semel() {
        return start(Semel.on(store()));
    }

    @AfterEach
    void stop() {
        started.forEach(Semel::close);
    }

    private ClaimPolicy probed(Probe probe, Duration after) {
        Probe counting = (key, memo) -> {
            asked.incrementAndGet();
            return probe.ask(key, memo);
        };
        return ClaimPolicy.DEFAULT
                .withWaitFor(Duration.ZERO)
                .withProbe(new ProbePlan(counting, after, TIMEOUT, PAUSE, PAUSE, 5));
    }

    private ClaimPolicy finding(Finding finding) {
        return probed((key, memo) -> finding, AFTER);
    }

    private Lease inDoubt(Semel semel, ClaimPolicy policy) {
        Lease lease = granted(semel, policy);
        assertInstanceOf(Settlement.Accepted.class, lease.doubt("sent, no answer"));
        return lease;
    }

    private Lease granted(Semel semel, ClaimPolicy policy) {
        return assertInstanceOf(Claim.Granted.class, claim(semel, policy)).lease();
    }

    private Claim claim(Semel semel, ClaimPolicy policy) {
        return semel.claim(new ClaimRequest(id, ASKED, policy).withMemo(Memo.of(new byte[] {7, 7})));
    }

    private KeyRecord recordNow() {
        return Objects.requireNonNull(store().find(id)).record();
    }

    @Test
    void the_end_of_a_doubt_is_told_once_with_what_ended_it() {
        List<SemelEvent.EndedBy> ends = new CopyOnWriteArrayList<>();
        Semel semel = start(Semel.on(store()).listener(event -> {
            if (event instanceof SemelEvent.DoubtEnded it) ends.add(it.by());
        }));
        ClaimPolicy policy = finding(DID_NOT_HAPPEN);
        Lease first = inDoubt(semel, policy);
        pass(AFTER);
        Lease second = granted(semel, policy);
        assertEquals(List.of(SemelEvent.EndedBy.PROBE), ends);

        assertInstanceOf(Settlement.Accepted.class, second.doubt("again"));
        Resolution didNot = new Resolution.DidNotHappen(Duration.ofDays(1));
        assertInstanceOf(
                ResolveAnswer.Refused.class, semel.resolve(id, first.token(), didNot, "ops", "an older doubt"));
        assertInstanceOf(ResolveAnswer.Accepted.class, semel.resolve(id, second.token(), didNot, "ops", "looked"));
        assertEquals(List.of(SemelEvent.EndedBy.PROBE, SemelEvent.EndedBy.OPERATOR), ends);

        Lease third = granted(semel, ClaimPolicy.DEFAULT);
        pass(ClaimPolicy.DEFAULT.lease());
        semel().expireLease(id, ClaimPolicy.DEFAULT);
        assertInstanceOf(KeyState.InDoubt.class, recordNow().state());
        assertInstanceOf(Settlement.Accepted.class, third.complete(CHARGED));
        assertEquals(
                List.of(SemelEvent.EndedBy.PROBE, SemelEvent.EndedBy.OPERATOR, SemelEvent.EndedBy.LATE_ANSWER), ends);
    }

    @Test
    void a_doubt_that_did_happen_is_replayed() {
        ClaimPolicy policy = finding(HAPPENED);
        inDoubt(semel(), policy);
        pass(AFTER);
        for (int i = 0; i < 3; i++)
            assertEquals(
                    CHARGED,
                    assertInstanceOf(Claim.AlreadyDone.class, claim(semel(), policy))
                            .outcome());
        assertEquals(1, asked.get());
        assertEquals(
                List.of("in doubt: sent, no answer", "it did happen"),
                recordNow().history().remarks().stream().map(it -> it.what()).toList());
        assertTrue(recordNow().memo().isEmpty(), "a memo goes when it has served");
    }

    @Test
    void a_doubt_that_did_not_happen_runs_again_with_a_higher_token() {
        ClaimPolicy policy = finding(DID_NOT_HAPPEN);
        Lease first = inDoubt(semel(), policy);
        pass(AFTER);
        Lease second = granted(semel(), policy);
        assertEquals(2, second.attempt());
        assertTrue(second.token() > first.token());
        assertInstanceOf(Settlement.Accepted.class, second.complete(CHARGED));
    }

    @Test
    void a_probe_that_cannot_tell_leaves_the_doubt_and_is_asked_again_later() {
        ClaimPolicy policy = finding(UNKNOWN);
        inDoubt(semel(), policy);
        pass(AFTER);
        Instant began = recordNow().since();
        Claim.InDoubt doubt = assertInstanceOf(Claim.InDoubt.class, claim(semel(), policy));
        assertNotNull(doubt.retryAfter());
        assertEquals(began, recordNow().since(), "the doubt began when it began");
        assertInstanceOf(Claim.InDoubt.class, claim(semel(), policy));
        assertEquals(1, asked.get());
        pass(PAUSE);
        assertInstanceOf(Claim.InDoubt.class, claim(semel(), policy));
        assertEquals(2, asked.get());
    }

    @Test
    void nobody_asks_while_the_request_may_still_be_on_its_way() {
        ClaimPolicy policy = finding(DID_NOT_HAPPEN);
        inDoubt(semel(), policy);
        Claim.InDoubt doubt = assertInstanceOf(Claim.InDoubt.class, claim(semel(), policy));
        assertEquals(0, asked.get());
        Duration retry = Objects.requireNonNull(doubt.retryAfter());
        assertTrue(retry.compareTo(AFTER) <= 0 && retry.compareTo(AFTER.minusSeconds(15)) > 0, "in " + retry);
    }

    @Test
    void a_probe_that_fails_is_one_that_cannot_tell() {
        ClaimPolicy policy = probed(
                (key, memo) -> {
                    throw new IllegalStateException("no route to the bank");
                },
                Duration.ZERO);
        inDoubt(semel(), policy);
        assertInstanceOf(Claim.InDoubt.class, claim(semel(), policy));
        assertTrue(recordNow().history().remarks().getLast().what().contains("no route to the bank"));
    }

    @Test
    void the_probe_is_given_what_the_holder_left() {
        BlockingQueue<Memo> given = new LinkedBlockingQueue<>();
        ClaimPolicy policy = probed(
                (key, memo) -> {
                    given.add(memo);
                    return HAPPENED;
                },
                Duration.ZERO);
        inDoubt(semel(), policy);
        claim(semel(), policy);
        assertEquals(Memo.of(new byte[] {7, 7}), given.poll());
    }

    @Test
    void one_asks_and_all_others_are_told_to_wait() throws Exception {
        CompletableFuture<Finding> answer = new CompletableFuture<>();
        ClaimPolicy policy = probed((key, memo) -> answer.join(), Duration.ZERO);
        List<Semel> fleet = List.of(semel(), semel());
        inDoubt(fleet.getFirst(), policy);
        CompletableFuture<Claim> asking = CompletableFuture.supplyAsync(() -> claim(fleet.getFirst(), policy));
        SemelContract.await(() -> asked.get() == 1);
        List<Claim> others = KeyStoreContract.together(16, i -> claim(fleet.get(i % 2), policy));
        for (Claim other : others) assertInstanceOf(Claim.InDoubt.class, other);
        answer.complete(HAPPENED);
        assertInstanceOf(Claim.AlreadyDone.class, asking.get(30, TimeUnit.SECONDS));
        assertEquals(1, asked.get());
    }

    @Test
    void an_asker_that_died_is_replaced_when_its_time_is_up() throws Exception {
        CompletableFuture<Finding> never = new CompletableFuture<>();
        ClaimPolicy deaf = probed((key, memo) -> never.join(), Duration.ZERO);
        ClaimPolicy policy = probed((key, memo) -> HAPPENED, Duration.ZERO);
        inDoubt(semel(), deaf);
        CompletableFuture<Claim> asking = CompletableFuture.supplyAsync(() -> claim(semel(), deaf));
        SemelContract.await(() -> asked.get() == 1);
        assertInstanceOf(Claim.InDoubt.class, claim(semel(), policy));
        pass(TIMEOUT);
        assertInstanceOf(Claim.AlreadyDone.class, claim(semel(), policy));
        never.complete(DID_NOT_HAPPEN);
        assertInstanceOf(Claim.AlreadyDone.class, asking.get(30, TimeUnit.SECONDS), "what it found is out of date");
    }

    @Test
    void a_late_answer_of_the_holder_counts_more_than_a_probe_that_found_nothing() throws Exception {
        CompletableFuture<Finding> answer = new CompletableFuture<>();
        ClaimPolicy policy = probed((key, memo) -> answer.join(), Duration.ZERO).withLease(Duration.ofSeconds(30));
        Semel holding = semel();
        Lease lease = granted(holding, policy);
        holding.close();
        pass(Duration.ofSeconds(31));
        CompletableFuture<Claim> asking = CompletableFuture.supplyAsync(() -> claim(semel(), policy));
        SemelContract.await(() -> asked.get() == 1);
        assertInstanceOf(Settlement.Accepted.class, lease.complete(CHARGED));
        answer.complete(DID_NOT_HAPPEN);
        assertInstanceOf(Claim.AlreadyDone.class, asking.get(30, TimeUnit.SECONDS));
        assertInstanceOf(KeyState.Done.class, recordNow().state());
    }

    @Test
    void a_late_answer_of_the_holder_counts_also_after_a_probe_that_found_nothing_too_early() throws Exception {
        ClaimPolicy policy = finding(DID_NOT_HAPPEN);
        Semel holding = semel();
        Lease lease = granted(holding, policy);
        holding.close();
        pass(policy.lease().plus(AFTER));
        Semel alive = start(Semel.on(store()).policies(key -> key.equals(id) ? policy : null));
        sweep(alive);
        SemelContract.await(() -> recordNow().state() instanceof KeyState.Free);
        assertInstanceOf(Settlement.Accepted.class, lease.complete(CHARGED));
        assertEquals(
                CHARGED,
                assertInstanceOf(Claim.AlreadyDone.class, claim(alive, policy)).outcome());
    }

    @Test
    void who_waits_also_waits_for_a_probe_that_is_due_in_time_and_gets_what_it_finds() throws Exception {
        ClaimPolicy policy = probed((key, memo) -> HAPPENED, Duration.ofMillis(500));
        ClaimPolicy patient = policy.withWaitFor(Duration.ofSeconds(30));
        inDoubt(semel(), policy);
        Semel semel = semel();
        CompletableFuture<Claim> waiting = CompletableFuture.supplyAsync(() -> claim(semel, patient));
        SemelContract.await(() -> semel.waitingHere() == 1 || waiting.isDone());
        pass(Duration.ofMillis(500));
        assertInstanceOf(Claim.AlreadyDone.class, waiting.get(30, TimeUnit.SECONDS));
        assertEquals(1, asked.get());
    }

    @Test
    void nobody_waits_for_a_probe_that_comes_too_late() {
        ClaimPolicy patient = finding(HAPPENED).withWaitFor(AFTER.minusSeconds(5));
        inDoubt(semel(), patient);
        Semel semel = semel();
        assertInstanceOf(Claim.InDoubt.class, claim(semel, patient));
        assertEquals(0, asked.get());
    }

    @Test
    void who_waits_gets_what_a_probe_finds_that_is_on_its_way_already() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        Probe slow = (key, memo) -> {
            asked.incrementAndGet();
            SemelContract.await(answer);
            return HAPPENED;
        };
        ClaimPolicy policy = ClaimPolicy.DEFAULT
                .withWaitFor(Duration.ofSeconds(30))
                .withProbe(new ProbePlan(slow, Duration.ZERO, Duration.ofMinutes(5), PAUSE, PAUSE, 5));
        Semel semel = start(Semel.on(store()).policies(key -> key.equals(id) ? policy : null));
        inDoubt(semel, policy);
        SemelContract.await(() -> asked.get() == 1);
        CompletableFuture<Claim> waiting = CompletableFuture.supplyAsync(() -> claim(semel, policy));
        SemelContract.await(() -> semel.waitingHere() == 1 || waiting.isDone());
        answer.countDown();
        assertInstanceOf(Claim.AlreadyDone.class, waiting.get(30, TimeUnit.SECONDS));
        assertEquals(1, asked.get());
    }

    @Test
    void who_waits_for_a_probe_learns_what_another_process_found() throws Exception {
        CompletableFuture<Finding> answer = new CompletableFuture<>();
        ClaimPolicy policy = probed((key, memo) -> answer.join(), Duration.ZERO);
        inDoubt(semel(), policy);
        CompletableFuture<Claim> asking = CompletableFuture.supplyAsync(() -> claim(semel(), policy));
        SemelContract.await(() -> asked.get() == 1);
        Semel other = semel();
        ClaimPolicy patient = policy.withWaitFor(TIMEOUT.plusSeconds(10));
        CompletableFuture<Claim> waiting = CompletableFuture.supplyAsync(() -> claim(other, patient));
        SemelContract.await(() -> other.waitingHere() == 1);
        answer.complete(HAPPENED);
        assertInstanceOf(Claim.AlreadyDone.class, waiting.get(30, TimeUnit.SECONDS));
        assertInstanceOf(Claim.AlreadyDone.class, asking.get(30, TimeUnit.SECONDS));
        assertEquals(1, asked.get());
    }

    @Test
    void nobody_asks_about_an_attempt_that_is_still_at_work_in_this_very_process() {
        ClaimPolicy policy = probed((key, memo) -> DID_NOT_HAPPEN, Duration.ZERO);
        Semel semel = semel();
        Lease lease = granted(semel, policy);
        pass(policy.lease().multipliedBy(100));
        assertInstanceOf(Claim.InDoubt.class, claim(semel, policy), "the clock has leapt");
        assertInstanceOf(Claim.InDoubt.class, claim(semel, policy));
        assertEquals(0, asked.get());
        assertInstanceOf(Settlement.Accepted.class, lease.complete(CHARGED));
        assertInstanceOf(Claim.AlreadyDone.class, claim(semel, policy));
    }

    @Test
    void a_doubt_ends_in_the_background_when_nobody_comes_back() throws Exception {
        ClaimPolicy policy = probed((key, memo) -> HAPPENED, Duration.ZERO);
        inDoubt(start(Semel.on(store()).policies(key -> policy)), policy);
        SemelContract.await(() -> recordNow().state() instanceof KeyState.Done);
        assertEquals(1, asked.get());
    }

    @Test
    void what_a_dead_process_left_behind_is_found_and_ended() throws Exception {
        ClaimPolicy policy = probed((key, memo) -> HAPPENED, Duration.ZERO);
        Semel dead = semel();
        granted(dead, policy);
        dead.close();
        pass(policy.lease());
        Semel alive = start(Semel.on(store()).policies(key -> key.equals(id) ? policy : null));
        sweep(alive);
        SemelContract.await(() -> recordNow().state() instanceof KeyState.Done);
    }

    @Test
    void what_may_run_again_is_forgotten_when_nobody_came_back_for_it_as_long_as_an_outcome_is_kept() throws Exception {
        ClaimPolicy again = ClaimPolicy.DEFAULT.withWaitFor(Duration.ZERO).withGuarantee(Guarantee.AT_LEAST_ONCE);
        Semel dead = semel();
        assertInstanceOf(Claim.Granted.class, dead.claim(new ClaimRequest(id, ASKED, again)));
        dead.close();
        Semel alive = start(Semel.on(store()).policies(key -> key.equals(id) ? again : null));
        pass(again.lease().plus(again.retention()));
        sweep(alive);
        SemelContract.await(this::isFreeOrForgotten);
        pass(Duration.ofSeconds(1));
        sweep(alive);
        assertNull(store().find(id));
    }

    /** What was noted may be the only word of what has happened already. */
    @Test
    void what_may_run_again_and_has_noted_something_is_in_doubt_when_nobody_came_back_for_it() throws Exception {
        ClaimPolicy again = ClaimPolicy.DEFAULT.withWaitFor(Duration.ZERO).withGuarantee(Guarantee.AT_LEAST_ONCE);
        Semel dead = semel();
        granted(dead, again);
        dead.close();
        Semel alive = start(Semel.on(store()).policies(key -> key.equals(id) ? again : null));
        pass(again.lease().plus(again.retention()));
        sweep(alive);
        SemelContract.await(() -> recordNow().state() instanceof KeyState.InDoubt);
        assertFalse(recordNow().memo().isEmpty());
    }

    /** A record that is free for no time at all is gone at once where the server itself forgets. */
    private boolean isFreeOrForgotten() {
        Seen seen = store().find(id);
        if (seen == null) return store().traits().forgetting() == Forgetting.SERVER;
        return seen.record().state() instanceof KeyState.Free;
    }

    private void sweep(Semel alive) {
        for (boolean finished = false; !finished; ) {
            KeyIndex.Swept step = Objects.requireNonNull(store().index()).sweep(1000);
            alive.lookInto(step.due());
            finished = step.finished();
        }
    }
}
