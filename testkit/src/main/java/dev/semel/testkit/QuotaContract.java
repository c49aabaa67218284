package dev.semel.testkit;

import static dev.semel.testkit.SemelContract.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.Quotas;
import dev.semel.core.claim.Resolution;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreException;
import dev.semel.testkit.FlakyKeyStore.Fault;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How much a tenant may take up: what is new is refused beyond that, and nothing else. */
public abstract class QuotaContract {
    private static final ClaimPolicy POLICY = ClaimPolicy.DEFAULT.withWaitFor(Duration.ZERO);
    private static final ClaimPolicy PATIENT = POLICY.withWaitFor(Duration.ofSeconds(60));
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1});
    private static final Outcome DONE = Outcome.of("done".getBytes(StandardCharsets.UTF_8));
    private static final int RANDOM_ENDINGS = 1000;

    private final String tenant = "t-" + UUID.randomUUID();
    private final List<Semel> started = new ArrayList<>();

    /** The store under test. */
    protected abstract KeyStore store();

    /** Lets so much time pass on the store's own clock, for every record in it. */
    protected abstract void pass(Duration time);

    private Semel semel(Quotas quotas) {
        return start(Semel.on(store()).quotas(quotas));
    }

    private Semel start(Semel.Builder builder) {
        Semel semel = builder.sweepEvery(Duration.ZERO).start();
        started.add(semel);
        return semel;
    }

    @AfterEach
    void stop() {
        started.forEach(Semel::close);
    }

    private ClaimRequest ask(String key) {
        return ask(tenant, key, POLICY);
    }

    private static ClaimRequest ask(String tenant, String key, ClaimPolicy policy) {
        return new ClaimRequest(KeyId.of(tenant, "POST /v1/charges", key), ASKED, policy);
    }

    private static Lease granted(Semel semel, ClaimRequest request) {
        return assertInstanceOf(Claim.Granted.class, semel.claim(request)).lease();
    }

    private static void refused(String what, Semel semel, ClaimRequest request) {
        Claim.OverQuota over = assertInstanceOf(Claim.OverQuota.class, semel.claim(request));
        assertEquals(what, over.what());
        assertTrue(over.retryAfter().isPositive());
    }

    /** A store that cannot count is no store for a quota of kept keys, and says so before anything is claimed. */
    private boolean refusesToCount() {
        if (store().traits().counts()) return false;
        assertThrows(IllegalStateException.class, () -> semel(Quotas.NONE.withKeys(5)));
        return true;
    }

    /** A quota of kept keys beside others, where the store can count. */
    private Quotas alsoKeys(Quotas quotas, int keys) {
        return store().traits().counts() ? quotas.withKeys(keys) : quotas;
    }

    private void purgeAll() {
        for (int pass = 0; pass < 2; pass++)
            while (!Objects.requireNonNull(store().index()).sweep(1000).finished()) {}
    }

    @Test
    void one_after_the_other_no_key_is_let_in_over_the_quota_whichever_process_it_comes_to() {
        if (refusesToCount()) return;
        List<Semel> fleet = List.of(semel(Quotas.NONE.withKeys(5)), semel(Quotas.NONE.withKeys(5)));
        for (int i = 0; i < 5; i++) granted(fleet.get(i % 2), ask("k" + i)).complete(DONE);
        for (int i = 0; i < 4; i++) {
            refused("keys", fleet.get(i % 2), ask("over"));
            assertNull(store().find(ask("over").id()), "nothing is kept of what was refused");
        }
        assertEquals(5, Objects.requireNonNull(store().index()).count(tenant, 100));
    }

    @Test
    void keys_that_others_fill_up_are_seen_by_a_process_that_was_idle() {
        if (refusesToCount()) return;
        Semel idle = semel(Quotas.NONE.withKeys(3));
        granted(idle, ask("first"));
        Semel busy = semel(Quotas.NONE);
        for (int i = 0; i < 3; i++) granted(busy, ask("k" + i));
        refused("keys", idle, ask("over"));
    }

    @Test
    void a_large_quota_is_kept_too_when_nobody_else_fills_it() {
        if (refusesToCount()) return;
        int quota = 60;
        Semel semel = semel(Quotas.NONE.withKeys(quota));
        for (int i = 0; i < quota; i++) {
            granted(semel, ask("k" + i)).complete(DONE);
            assertInstanceOf(Claim.AlreadyDone.class, semel.claim(ask("k" + i)));
        }
        refused("keys", semel, ask("over"));
    }

    @Test
    void claims_at_the_same_time_go_over_by_no_more_than_there_are() throws Exception {
        if (refusesToCount()) return;
        List<Semel> fleet = List.of(semel(Quotas.NONE.withKeys(5)), semel(Quotas.NONE.withKeys(5)));
        List<Claim> answers =
                KeyStoreContract.together(32, i -> fleet.get(i % 2).claim(ask("k" + i)));
        long granted = answers.stream().filter(Claim.Granted.class::isInstance).count();
        assertTrue(granted >= 5, "only " + granted);
        assertEquals(granted, Objects.requireNonNull(store().index()).count(tenant, 100));
        refused("keys", fleet.getFirst(), ask("late"));
    }

    @Test
    void a_duplicate_is_answered_as_ever_however_full_its_tenant() {
        Quotas full = alsoKeys(Quotas.NONE.withInFlight(1), 5);
        Semel semel = semel(full);
        granted(semel, ask("done")).complete(DONE);
        granted(semel, ask("free")).release();
        granted(semel, ask("doubt")).doubt("?");
        Lease resolved = granted(semel, ask("resolved"));
        resolved.doubt("?");
        semel.resolve(resolved.id(), resolved.token(), new Resolution.DidNotHappen(Duration.ofHours(1)), "op", "no");
        Lease running = granted(semel, ask("running"));

        refused("in-flight", semel, ask("new"));
        refused("in-flight", semel, ask("free"));
        for (Semel any : List.of(semel, semel(full))) {
            assertInstanceOf(Claim.AlreadyDone.class, any.claim(ask("done")));
            assertInstanceOf(Claim.InProgress.class, any.claim(ask("running")));
            assertInstanceOf(Claim.InDoubt.class, any.claim(ask("doubt")));
            ClaimRequest other = new ClaimRequest(
                    ask("done").id(), Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {2}), POLICY);
            assertInstanceOf(Claim.Mismatched.class, any.claim(other));
        }
        running.complete(DONE);
        if (store().traits().counts()) refused("keys", semel, ask("new"));
        granted(semel, ask("free")).complete(DONE);
        granted(semel, ask("resolved")).complete(DONE);
        pass(POLICY.retention().plusSeconds(1));
        assertInstanceOf(Claim.Spent.class, semel.claim(ask("done")));
        pass(POLICY.tombstone().plusSeconds(1));
        granted(semel, ask("done")).complete(DONE);
    }

    @Test
    void a_silent_holder_leaves_a_doubt_also_when_nothing_new_may_run() {
        Semel semel = semel(Quotas.NONE.withInFlight(1));
        granted(semel(Quotas.NONE), ask("silent"));
        granted(semel(Quotas.NONE), ask(tenant, "again", POLICY.withGuarantee(Guarantee.AT_LEAST_ONCE)));
        pass(POLICY.lease().plusSeconds(1));
        granted(semel, ask("running"));
        assertInstanceOf(Claim.InDoubt.class, semel.claim(ask("silent")));
        refused("in-flight", semel, ask(tenant, "again", POLICY.withGuarantee(Guarantee.AT_LEAST_ONCE)));
    }

    @Test
    void keys_come_back_when_their_time_is_up_and_they_are_purged() throws Exception {
        if (refusesToCount()) return;
        Semel semel = semel(Quotas.NONE.withKeys(2));
        for (int i = 0; i < 2; i++) granted(semel, ask("k" + i)).complete(DONE);
        refused("keys", semel, ask("new"));
        pass(POLICY.retention().plus(POLICY.tombstone()).plusSeconds(1));
        purgeAll();
        assertEquals(0, Objects.requireNonNull(store().index()).count(tenant, 10));
        await(() -> semel.claim(ask("new")) instanceof Claim.Granted);
        granted(semel, ask("another"));
        refused("keys", semel, ask("over"));
    }

    @Test
    void tenants_do_not_affect_each_other_and_keys_without_one_have_no_quota() {
        Semel semel = semel(alsoKeys(Quotas.NONE.withInFlight(1).withWaiters(0), 1));
        granted(semel, ask("k"));
        refused("in-flight", semel, ask("l"));
        granted(semel, ask(tenant + "-2", "k", POLICY)).complete(DONE);
        if (store().traits().counts()) refused("keys", semel, ask(tenant + "-2", "l", POLICY));
        for (int i = 0; i < 20; i++) granted(semel, ask("", tenant + i, POLICY));
    }

    @Test
    void what_runs_elsewhere_takes_no_place_here() {
        Semel semel = semel(Quotas.NONE.withInFlight(1));
        for (int i = 0; i < 3; i++) granted(semel, ask("elsewhere " + i).forRemoteHolder());
        granted(semel, ask("here"));
        refused("in-flight", semel, ask("there"));
        granted(semel, ask("elsewhere too").forRemoteHolder());
    }

    @Test
    void waiters_are_capped_per_tenant() throws Exception {
        Semel semel = semel(Quotas.NONE.withInFlight(3).withWaiters(2));
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < 3; i++) held.add(granted(semel, ask("k" + i)));
        held.add(granted(semel, ask(tenant + "-2", "k", POLICY)));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Claim>> waiters = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                ClaimRequest patient = ask(tenant, "k" + i, PATIENT);
                waiters.add(threads.submit(() -> semel.claim(patient)));
            }
            await(() -> semel.waitingHere() == 2);
            assertInstanceOf(Claim.TooManyWaiters.class, semel.claim(ask(tenant, "k2", PATIENT)));
            waiters.add(threads.submit(() -> semel.claim(ask(tenant + "-2", "k", PATIENT))));
            await(() -> semel.waitingHere() == 3);
            for (Lease lease : held) lease.complete(DONE);
            for (Future<Claim> waiter : waiters)
                assertInstanceOf(Claim.AlreadyDone.class, waiter.get(30, TimeUnit.SECONDS));
            assertEquals(0, semel.waitingHere());
        }
        Lease again = granted(semel, ask("again"));
        assertInstanceOf(
                Claim.InProgress.class,
                semel.claim(ask(tenant, "again", POLICY.withWaitFor(Duration.ofMillis(5)))),
                "the places were given back");
        again.complete(DONE);
    }

    @Test
    void a_waiter_takes_no_place_of_those_who_run_and_needs_one_to_take_over() throws Exception {
        Semel semel = semel(Quotas.NONE.withInFlight(2));
        Lease first = granted(semel, ask("k"));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Claim> waiter = threads.submit(() -> semel.claim(ask(tenant, "k", PATIENT)));
            await(() -> semel.waitingHere() == 1);
            granted(semel, ask("other")).complete(DONE);
            first.release();
            Lease second = assertInstanceOf(Claim.Granted.class, waiter.get(30, TimeUnit.SECONDS))
                    .lease();
            granted(semel, ask("other too"));
            refused("in-flight", semel, ask("third"));
            second.complete(DONE);
            granted(semel, ask("third"));
        }
    }

    @Test
    void however_attempts_end_their_places_come_back() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        FlakyKeyStore flaky = new FlakyKeyStore(store());
        int places = 3;
        Semel semel = start(Semel.on(flaky)
                .quotas(alsoKeys(Quotas.NONE.withInFlight(places), 1_000_000))
                .patience(Duration.ofNanos(1))
                .retryPause(Duration.ofNanos(1000)));
        for (int i = 0; i < RANDOM_ENDINGS; i++) end(semel, flaky, random);
        await(() -> semel.heldHere() == 0);
        for (int i = 0; i < places; i++) {
            Claim claim = semel.claim(ask("after all " + i));
            assertInstanceOf(Claim.Granted.class, claim, "place " + i + " leaked; seed " + seed);
        }
        refused("in-flight", semel, ask("one too many"));
    }

    /** Claims a key that may be there already, on a store that may fail, and ends what it gets in one of all ways. */
    private void end(Semel semel, FlakyKeyStore flaky, Random random) throws Exception {
        ClaimPolicy policy = random.nextBoolean() ? POLICY : POLICY.withGuarantee(Guarantee.AT_LEAST_ONCE);
        ClaimRequest request = ask(tenant, "k" + random.nextInt(200), policy);
        Claim claim;
        try {
            plan(flaky, random);
            claim = semel.claim(random.nextInt(10) == 0 ? request.forRemoteHolder() : request);
        } catch (StoreException e) {
            return;
        } finally {
            flaky.forget();
        }
        if (claim instanceof Claim.OverQuota) await(() -> semel.heldHere() < 3);
        if (!(claim instanceof Claim.Granted(Lease lease))) return;
        if (random.nextInt(20) == 0) pass(POLICY.lease().plusSeconds(1));
        plan(flaky, random);
        try (lease) {
            Settlement ignored = switch (random.nextInt(4)) {
                case 0 -> lease.complete(DONE);
                case 1 -> lease.release();
                case 2 -> lease.doubt("?");
                default -> new Settlement.Superseded();
            };
        } finally {
            flaky.forget();
        }
    }

    private static void plan(FlakyKeyStore flaky, Random random) {
        Fault[] faults = Fault.values();
        for (int i = random.nextInt(4); i > 0; i--) flaky.failWrites(faults[random.nextInt(faults.length)]);
        if (random.nextInt(4) == 0) flaky.failReads(faults[random.nextInt(faults.length)]);
    }
}
