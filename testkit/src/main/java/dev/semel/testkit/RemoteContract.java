package dev.semel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.RemoteLease;
import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreTraits.Forgetting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Holders outside the process, who have but a token. */
public abstract class RemoteContract {
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1});
    private static final ClaimPolicy POLICY =
            ClaimPolicy.DEFAULT.withWaitFor(Duration.ZERO).withLease(Duration.ofSeconds(30));
    private static final Outcome DONE = Outcome.of(new byte[] {1});
    private static final Outcome OTHER = Outcome.of(new byte[] {2});

    /** How long a doubt is kept that a holder elsewhere left. */
    private static final Duration KEPT = POLICY.retention().plus(POLICY.tombstone());

    private final String name = UUID.randomUUID().toString();
    private final KeyId id = KeyId.of("", "settle invoice", name);
    private final List<Semel> started = new ArrayList<>();

    /** The store under test. */
    protected abstract KeyStore store();

    /** Lets so much time pass on the store's own clock, for every record in it. */
    protected abstract void pass(Duration time);

    private Semel semel() {
        Semel semel = Semel.on(store()).sweepEvery(Duration.ZERO).start();
        started.add(semel);
        return semel;
    }

    @AfterEach
    void stop() {
        started.forEach(Semel::close);
    }

    private ClaimRequest ask() {
        return new ClaimRequest(id, ASKED, POLICY).forRemoteHolder();
    }

    private Lease granted() {
        return granted(POLICY);
    }

    private Lease granted(ClaimPolicy policy) {
        ClaimRequest request = new ClaimRequest(id, ASKED, policy).forRemoteHolder();
        return assertInstanceOf(Claim.Granted.class, semel().claim(request)).lease();
    }

    private RemoteLease by(long token) {
        return semel().remoteLease(id, token, POLICY);
    }

    @Test
    void any_process_takes_the_word_of_a_holder_elsewhere_and_takes_it_twice() {
        long token = granted().token();
        assertInstanceOf(Settlement.Accepted.class, by(token).complete(DONE));
        assertInstanceOf(Settlement.Accepted.class, by(token).complete(DONE));
        assertInstanceOf(Settlement.Superseded.class, by(token).complete(OTHER));
        assertInstanceOf(Settlement.Superseded.class, by(token).release());
        assertEquals(
                DONE,
                assertInstanceOf(Claim.AlreadyDone.class, semel().claim(ask())).outcome());
    }

    @Test
    void another_token_changes_nothing() {
        long token = granted().token();
        for (long other : new long[] {token - 1, token + 1, 0, -1, Long.MAX_VALUE}) {
            assertInstanceOf(Settlement.Superseded.class, by(other).complete(DONE));
            assertInstanceOf(Settlement.Superseded.class, by(other).release());
            assertInstanceOf(Settlement.Superseded.class, by(other).doubt("?"));
            assertInstanceOf(Settlement.Superseded.class, by(other).renew(Duration.ofDays(1)));
        }
        assertInstanceOf(Claim.InProgress.class, semel().claim(ask()));
    }

    @Test
    void a_key_that_a_process_holds_itself_cannot_be_settled_from_outside() {
        Semel semel = semel();
        Lease own = assertInstanceOf(Claim.Granted.class, semel.claim(new ClaimRequest(id, ASKED, POLICY)))
                .lease();
        assertInstanceOf(Settlement.Superseded.class, by(own.token()).complete(OTHER));
        assertInstanceOf(Settlement.Superseded.class, by(own.token()).release());
        assertInstanceOf(Settlement.Superseded.class, by(own.token()).doubt("?"));
        assertInstanceOf(Settlement.Superseded.class, by(own.token()).renew(Duration.ofDays(1)));
        assertInstanceOf(Settlement.Accepted.class, own.complete(DONE));
    }

    @Test
    void a_key_that_nobody_claimed_has_no_holder() {
        assertInstanceOf(Settlement.Superseded.class, by(1).complete(DONE));
    }

    @Test
    void nobody_renews_the_lease_but_its_holder() {
        Semel semel = semel();
        Lease lease = assertInstanceOf(Claim.Granted.class, semel.claim(ask())).lease();
        assertEquals(0, semel.heldHere());
        pass(Duration.ofSeconds(20));
        assertInstanceOf(Settlement.Accepted.class, by(lease.token()).renew(Duration.ofSeconds(30)));
        pass(Duration.ofSeconds(20));
        assertInstanceOf(Claim.InProgress.class, semel.claim(ask()));
        pass(Duration.ofSeconds(20));
        assertInstanceOf(Claim.InDoubt.class, semel.claim(ask()));
        assertInstanceOf(Settlement.Superseded.class, by(lease.token()).renew(Duration.ofSeconds(30)));
        assertInstanceOf(Settlement.Accepted.class, by(lease.token()).complete(DONE), "a late but true answer");
    }

    @Test
    void a_released_key_is_granted_again_and_a_doubt_is_not() {
        Lease first = granted();
        assertInstanceOf(Settlement.Accepted.class, by(first.token()).release());
        assertInstanceOf(Settlement.Accepted.class, by(first.token()).release());
        Lease second = granted();
        assertEquals(2, second.attempt());
        assertInstanceOf(Settlement.Accepted.class, by(second.token()).doubt("no answer"));
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
        SemelContract.await(this::isFreeOrForgotten);
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
        SemelContract.await(() -> !record().isDue(store().now()));
        assertFalse(sweep(alive).contains(id));
        assertInstanceOf(KeyState.InDoubt.class, state());
        pass(KEPT.minusHours(1));
        assertTrue(sweep(alive).contains(id));
        SemelContract.await(this::isFreeOrForgotten);
    }

    @Test
    void a_late_word_ends_the_doubt_of_an_abandoned_claim_until_it_is_forgotten() throws Exception {
        Semel alive = semel();
        long token = granted().token();
        pass(POLICY.lease());
        sweep(alive);
        SemelContract.await(() -> state() instanceof KeyState.InDoubt);
        pass(KEPT.minusMinutes(1));
        assertInstanceOf(Settlement.Accepted.class, by(token).complete(DONE));
        assertInstanceOf(Claim.AlreadyDone.class, alive.claim(ask()));
    }

    private KeyRecord record() {
        return Objects.requireNonNull(store().find(id)).record();
    }

    /** A record that is free for no time at all is gone at once where the server itself forgets. */
    private boolean isFreeOrForgotten() {
        Seen seen = store().find(id);
        if (seen == null) return store().traits().forgetting() == Forgetting.SERVER;
        return seen.record().state() instanceof KeyState.Free;
    }

    private KeyState state() {
        return record().state();
    }

    /** @return the keys that the sweep pointed out */
    private Set<KeyId> sweep(Semel alive) {
        Set<KeyId> unsettled = new HashSet<>();
        for (boolean finished = false; !finished; ) {
            KeyIndex.Swept step = Objects.requireNonNull(store().index()).sweep(1000);
            unsettled.addAll(step.due());
            finished = step.finished();
        }
        alive.lookInto(unsettled);
        return unsettled;
    }

    private KeyState doubted(long token, ClaimPolicy policy) {
        Settlement settled = semel().remoteLease(id, token, policy).doubt("no answer");
        return assertInstanceOf(Settlement.Accepted.class, settled).record().state();
    }

    @Test
    void a_doubt_that_is_said_again_is_told_once() {
        AtomicInteger told = new AtomicInteger();
        long token = granted().token();
        try (Semel semel = Semel.on(store())
                .sweepEvery(Duration.ZERO)
                .listener(event -> {
                    if (event instanceof SemelEvent.FellIntoDoubt) told.incrementAndGet();
                })
                .start()) {
            for (int i = 0; i < 2; i++)
                assertInstanceOf(
                        Settlement.Accepted.class,
                        semel.remoteLease(id, token, POLICY).doubt("no answer"));
        }
        assertEquals(1, told.get());
    }

    @Test
    void a_waiter_is_woken_by_the_word_of_a_holder_elsewhere() throws Exception {
        Semel semel = semel();
        long token = granted().token();
        ClaimRequest patient = new ClaimRequest(id, ASKED, POLICY.withWaitFor(Duration.ofSeconds(60)));
        CompletableFuture<Claim> waiting = CompletableFuture.supplyAsync(() -> semel.claim(patient));
        SemelContract.await(() -> semel.waitingHere() == 1);
        assertInstanceOf(Settlement.Accepted.class, by(token).complete(DONE));
        assertInstanceOf(Claim.AlreadyDone.class, waiting.get(30, TimeUnit.SECONDS));
    }
}
