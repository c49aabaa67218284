package dev.semel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Claim;
import dev.semel.core.ClaimPolicy;
import dev.semel.core.ClaimRequest;
import dev.semel.core.Lease;
import dev.semel.core.RemoteLease;
import dev.semel.core.Semel;
import dev.semel.core.Settled;
import dev.semel.core.WriteOrder;
import dev.semel.core.WriteOrder.Verdict;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Next;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Holders outside the process, who have but a token; and writes that must keep their order across a fleet. */
public abstract class RemoteContract {
    private static final Fingerprint ASKED = Fingerprint.of(1, new byte[] {1});
    private static final ClaimPolicy POLICY =
            ClaimPolicy.DEFAULT.withWaitFor(Duration.ZERO).withLease(Duration.ofSeconds(30));
    private static final Outcome DONE = Outcome.of(new byte[] {1});
    private static final Outcome OTHER = Outcome.of(new byte[] {2});
    private static final Duration KEEP = Duration.ofDays(365);

    /** How long a doubt is kept that a holder elsewhere left. */
    private static final Duration KEPT = POLICY.retention().plus(POLICY.tombstone());

    private final String name = UUID.randomUUID().toString();
    private final KeyId id = KeyId.of("", "settle invoice", name);
    private final KeyId account = KeyId.of("", "order PUT /v1/accounts/{id}", name);
    private final List<Semel> started = new ArrayList<>();

    /** The store under test. */
    protected abstract KeyStore store();

    /** Lets so much time pass on the store's own clock, for every record in it. */
    protected abstract void pass(Duration time);

    private Semel semel() {
        Semel semel = Semel.on(store()).start();
        started.add(semel);
        return semel;
    }

    @AfterEach
    void stop() {
        started.forEach(Semel::close);
    }

    private ClaimRequest ask() {
        return new ClaimRequest(id, ASKED, POLICY).forElsewhere();
    }

    private Lease granted() {
        return granted(POLICY);
    }

    private Lease granted(ClaimPolicy policy) {
        ClaimRequest request = new ClaimRequest(id, ASKED, policy).forElsewhere();
        return assertInstanceOf(Claim.Granted.class, semel().claim(request)).lease();
    }

    private RemoteLease by(long token) {
        return semel().heldElsewhere(id, token, POLICY);
    }

    @Test
    void any_process_takes_the_word_of_a_holder_elsewhere_and_takes_it_twice() {
        long token = granted().token();
        assertInstanceOf(Settled.Accepted.class, by(token).complete(DONE));
        assertInstanceOf(Settled.Accepted.class, by(token).complete(DONE));
        assertInstanceOf(Settled.Superseded.class, by(token).complete(OTHER));
        assertInstanceOf(Settled.Superseded.class, by(token).release());
        assertEquals(
                DONE,
                assertInstanceOf(Claim.AlreadyDone.class, semel().claim(ask())).outcome());
    }

    @Test
    void another_token_changes_nothing() {
        long token = granted().token();
        for (long other : new long[] {token - 1, token + 1, 0, -1, Long.MAX_VALUE}) {
            assertInstanceOf(Settled.Superseded.class, by(other).complete(DONE));
            assertInstanceOf(Settled.Superseded.class, by(other).release());
            assertInstanceOf(Settled.Superseded.class, by(other).doubt("?"));
            assertInstanceOf(Settled.Superseded.class, by(other).renew(Duration.ofDays(1)));
        }
        assertInstanceOf(Claim.InProgress.class, semel().claim(ask()));
    }

    @Test
    void a_key_that_a_process_holds_itself_cannot_be_settled_from_outside() {
        Semel semel = semel();
        Lease own = assertInstanceOf(Claim.Granted.class, semel.claim(new ClaimRequest(id, ASKED, POLICY)))
                .lease();
        assertInstanceOf(Settled.Superseded.class, by(own.token()).complete(OTHER));
        assertInstanceOf(Settled.Superseded.class, by(own.token()).release());
        assertInstanceOf(Settled.Superseded.class, by(own.token()).doubt("?"));
        assertInstanceOf(Settled.Superseded.class, by(own.token()).renew(Duration.ofDays(1)));
        assertInstanceOf(Settled.Accepted.class, own.complete(DONE));
    }

    @Test
    void a_key_that_nobody_claimed_has_no_holder() {
        assertInstanceOf(Settled.Superseded.class, by(1).complete(DONE));
    }

    @Test
    void nobody_renews_the_lease_but_its_holder() {
        Semel semel = semel();
        Lease lease = assertInstanceOf(Claim.Granted.class, semel.claim(ask())).lease();
        assertEquals(0, semel.heldHere());
        pass(Duration.ofSeconds(20));
        assertInstanceOf(Settled.Accepted.class, by(lease.token()).renew(Duration.ofSeconds(30)));
        pass(Duration.ofSeconds(20));
        assertInstanceOf(Claim.InProgress.class, semel.claim(ask()));
        pass(Duration.ofSeconds(20));
        assertInstanceOf(Claim.InDoubt.class, semel.claim(ask()));
        assertInstanceOf(Settled.Superseded.class, by(lease.token()).renew(Duration.ofSeconds(30)));
        assertInstanceOf(Settled.Accepted.class, by(lease.token()).complete(DONE), "a late but true answer");
    }

    @Test
    void a_released_key_is_granted_again_and_a_doubt_is_not() {
        Lease first = granted();
        assertInstanceOf(Settled.Accepted.class, by(first.token()).release());
        assertInstanceOf(Settled.Accepted.class, by(first.token()).release());
        Lease second = granted();
        assertEquals(2, second.attempt());
        assertInstanceOf(Settled.Accepted.class, by(second.token()).doubt("no answer"));
        assertInstanceOf(Claim.InDoubt.class, semel().claim(ask()));
    }

    @Test
    void at_least_once_a_doubt_frees_the_key() {
        ClaimPolicy again = POLICY.withGuarantee(Guarantee.AT_LEAST_ONCE);
        long token = granted(again).token();
        assertInstanceOf(KeyState.Free.class, doubted(token, again));
    }

    @Test
    void a_doubt_frees_no_key_whose_caller_was_promised_that_it_runs_once() {
        ClaimPolicy again = POLICY.withGuarantee(Guarantee.AT_LEAST_ONCE);
        long token = granted().token();
        assertInstanceOf(KeyState.InDoubt.class, doubted(token, again));
    }

    @Test
    void what_a_holder_elsewhere_abandoned_falls_into_doubt_is_left_alone_and_is_forgotten_in_the_end()
            throws Exception {
        Semel alive = semel();
        granted();
        pass(POLICY.lease());
        assertTrue(sweep(alive).contains(id));
        SemelContract.await(() -> state() instanceof KeyState.InDoubt);
        assertFalse(sweep(alive).contains(id), "it is pointed out again although there is nothing to do");

        pass(KEPT.minusMinutes(1));
        assertFalse(sweep(alive).contains(id), "it is pointed out before its time");
        assertInstanceOf(Claim.InDoubt.class, alive.claim(ask()));
        pass(Duration.ofMinutes(1));
        assertTrue(sweep(alive).contains(id));
        SemelContract.await(() -> state() instanceof KeyState.Free);
        pass(Duration.ofSeconds(1));
        sweep(alive);
        assertNull(store().find(id));
    }

    /** As programs before this rule left it: nothing in the record says when to look again. */
    @Test
    void a_doubt_without_an_end_is_given_one_counted_from_its_beginning() throws Exception {
        Semel alive = semel();
        granted();
        KeyRecord held = record();
        store().replace(held, Change.of(held, new Next.InDoubt("no answer")));
        pass(Duration.ofHours(1));
        assertTrue(sweep(alive).contains(id));
        SemelContract.await(() -> !record().isUnsettled(store().now()));
        assertFalse(sweep(alive).contains(id));
        assertInstanceOf(KeyState.InDoubt.class, state());
        pass(KEPT.minusHours(1));
        assertTrue(sweep(alive).contains(id));
        SemelContract.await(() -> state() instanceof KeyState.Free);
    }

    @Test
    void a_late_word_ends_the_doubt_of_an_abandoned_claim_until_it_is_forgotten() throws Exception {
        Semel alive = semel();
        long token = granted().token();
        pass(POLICY.lease());
        sweep(alive);
        SemelContract.await(() -> state() instanceof KeyState.InDoubt);
        pass(KEPT.minusMinutes(1));
        assertInstanceOf(Settled.Accepted.class, by(token).complete(DONE));
        assertInstanceOf(Claim.AlreadyDone.class, alive.claim(ask()));
    }

    private KeyRecord record() {
        return Objects.requireNonNull(store().find(id)).record();
    }

    private KeyState state() {
        return record().state();
    }

    /** @return the keys that the sweep pointed out */
    private Set<KeyId> sweep(Semel alive) {
        Set<KeyId> unsettled = new HashSet<>();
        for (boolean finished = false; !finished; ) {
            KeyStore.Purged step = store().purge(1000);
            unsettled.addAll(step.unsettled());
            finished = step.finished();
        }
        alive.seeTo(unsettled);
        return unsettled;
    }

    private KeyState doubted(long token, ClaimPolicy policy) {
        Settled settled = semel().heldElsewhere(id, token, policy).doubt("no answer");
        return assertInstanceOf(Settled.Accepted.class, settled).record().state();
    }

    @Test
    void a_waiter_is_woken_by_the_word_of_a_holder_elsewhere() throws Exception {
        Semel semel = semel();
        long token = granted().token();
        ClaimRequest patient = new ClaimRequest(id, ASKED, POLICY.withWaitFor(Duration.ofSeconds(60)));
        CompletableFuture<Claim> waiting = CompletableFuture.supplyAsync(() -> semel.claim(patient));
        SemelContract.await(() -> semel.waitingHere() == 1);
        assertInstanceOf(Settled.Accepted.class, by(token).complete(DONE));
        assertInstanceOf(Claim.AlreadyDone.class, waiting.get(30, TimeUnit.SECONDS));
    }

    @Test
    void a_write_older_than_the_last_one_is_refused_by_every_process() {
        WriteOrder here = new WriteOrder(store());
        WriteOrder there = new WriteOrder(store());
        assertInstanceOf(Verdict.Accepted.class, here.advance(account, 3, KEEP));
        assertInstanceOf(Verdict.Accepted.class, there.advance(account, 4, KEEP));
        assertEquals(new Verdict.Stale(4), here.advance(account, 3, KEEP), "the late retry that would undo the refund");
        assertInstanceOf(Verdict.Accepted.class, here.advance(account, 4, KEEP), "a retry of the last write");
        pass(Duration.ofDays(300));
        assertEquals(new Verdict.Stale(4), there.advance(account, 0, KEEP));
        KeyId other = KeyId.of("", account.operation(), name + "-other");
        assertInstanceOf(Verdict.Accepted.class, there.advance(other, 0, KEEP));
    }

    @Test
    void a_version_is_forgotten_when_its_time_is_up() {
        WriteOrder order = new WriteOrder(store());
        order.advance(account, 9, Duration.ofHours(1));
        pass(Duration.ofHours(2));
        assertInstanceOf(Verdict.Accepted.class, order.advance(account, 1, KEEP));
        assertEquals(new Verdict.Stale(1), order.advance(account, 0, KEEP));
    }

    @Test
    void a_write_that_did_not_run_does_not_stand_in_the_way() {
        WriteOrder order = new WriteOrder(store());
        order.advance(account, 3, KEEP);
        withdraw(order, 99, accepted(order, 99));
        assertEquals(new Verdict.Stale(3), order.advance(account, 2, KEEP));
        long overtaken = accepted(order, 4);
        order.advance(account, 5, KEEP);
        withdraw(order, 4, overtaken);
        assertEquals(new Verdict.Stale(5), order.advance(account, 4, KEEP), "another was let through since");
        withdraw(order, 5, accepted(order, 5));
        assertEquals(new Verdict.Stale(5), order.advance(account, 4, KEEP), "it did run the first time");
    }

    @Test
    void a_write_that_did_not_run_takes_no_other_of_its_version_with_it() {
        WriteOrder here = new WriteOrder(store());
        WriteOrder there = new WriteOrder(store());
        here.advance(account, 5, KEEP);
        long refused = accepted(here, 7);
        long applied = accepted(there, 7);
        withdraw(here, 7, refused);
        assertEquals(new Verdict.Stale(7), here.advance(account, 6, KEEP), "the other 7 was applied");
        withdraw(there, 7, refused);
        assertEquals(new Verdict.Stale(7), there.advance(account, 6, KEEP), "what is withdrawn twice");
        withdraw(there, 7, applied);
        assertInstanceOf(Verdict.Accepted.class, here.advance(account, 6, KEEP));
    }

    @Test
    void writes_that_overlap_and_all_did_not_run_leave_nothing_behind() {
        WriteOrder order = new WriteOrder(store());
        order.advance(account, 5, KEEP);
        long seven = accepted(order, 7);
        long eight = accepted(order, 8);
        withdraw(order, 7, seven);
        assertEquals(new Verdict.Stale(8), order.advance(account, 7, KEEP), "8 is still on its way");
        withdraw(order, 8, eight);
        assertEquals(new Verdict.Stale(5), order.advance(account, 4, KEEP));
        assertInstanceOf(Verdict.Accepted.class, order.advance(account, 6, KEEP));
    }

    private long accepted(WriteOrder order, long version) {
        return assertInstanceOf(Verdict.Accepted.class, order.advance(account, version, KEEP))
                .write();
    }

    private void withdraw(WriteOrder order, long version, long write) {
        order.withdraw(account, version, write, KEEP);
    }

    @Test
    void of_many_writes_at_once_none_is_let_through_after_a_higher_one() throws Exception {
        WriteOrder order = new WriteOrder(store());
        List<Verdict> verdicts = KeyStoreContract.together(64, i -> order.advance(account, i, KEEP));
        assertInstanceOf(Verdict.Accepted.class, verdicts.get(63));
        for (Verdict verdict : verdicts) if (verdict instanceof Verdict.Stale stale) assertTrue(stale.last() > 0);
        assertEquals(new Verdict.Stale(63), order.advance(account, 62, KEEP));
    }
}
