package dev.semel.testkit.interleave;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.Resolution;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Outcome;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.move.DualReadKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreException;
import dev.semel.testkit.HandClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One random life of one key: a few processes claim, run, crash, stall past their lease, speak late; answers of the
 * store get lost; an operator ends doubts he knows the truth about. Every law is checked on the way and at the end.
 */
public final class Schedule {
    private static final Duration LEASE = Duration.ofHours(10);
    private static final Duration RETENTION = Duration.ofDays(30);
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1});
    private static final Fingerprint OTHER = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {2});

    private final Random random;
    private final Stage stage;
    private final HandClock clock = new HandClock();
    private final SteppedKeyStore store;

    /** Where keys are brought, when they are. */
    private final SteppedKeyStore next;

    /** Each process has one of them. */
    private final List<Semel> engines;

    private final List<ClaimPolicy> policies;
    private final KeyId id = KeyId.of("", "op", "k");
    /** The world outside: what really happened, and which tokens it has accepted. */
    private final List<Long> effects = new ArrayList<>();

    private boolean chargedForGood;
    private final List<Outcome> answers = new ArrayList<>();
    /** Tokens of holders that died without a word. */
    private final List<Long> crashed = new ArrayList<>();

    /** @param before around the store that is to be left, as those see it who bring keys over; null for one store alone */
    private Schedule(long seed, @Nullable UnaryOperator<KeyStore> before) {
        this.random = new Random(seed);
        this.stage = new Stage(random);
        int faults = random.nextInt(3) * 10;
        int most = before == null ? SteppedKeyStore.MOST_FAULTS_PER_ACTOR : 1;
        this.store = new SteppedKeyStore(new InMemoryKeyStore(clock), stage, random, faults, most);
        this.next = new SteppedKeyStore(new InMemoryKeyStore(clock), stage, random, faults, most);
        ClaimPolicy once =
                ClaimPolicy.DEFAULT.withLease(LEASE).withRetention(RETENTION).withWaitFor(Duration.ZERO);
        ClaimPolicy again = once.withGuarantee(Guarantee.AT_LEAST_ONCE);
        this.policies =
                List.of(List.of(once), List.of(again), List.of(once, again)).get(random.nextInt(3));
        this.engines = before == null ? List.of(engine(store)) : List.of(engine(store), moving(before), moving(before));
    }

    private Semel moving(UnaryOperator<KeyStore> before) {
        return engine(DualReadKeyStore.of(next, before.apply(store)));
    }

    private static Semel engine(KeyStore store) {
        return Semel.on(store)
                .sweepEvery(Duration.ZERO)
                .patience(Duration.ofHours(1))
                .retryPause(Duration.ofNanos(10))
                .start();
    }

    /** Runs the schedule of this seed; fastest when called on a virtual thread, as all its actors are. */
    public static void run(long seed) throws Throwable {
        run(new Schedule(seed, null));
    }

    /**
     * The same while a fleet changes from one store to another: some processes know only the first, the others bring keys over
     * to the second.
     *
     * @param before around the first store, as the others see it
     */
    public static void runWhileMoving(long seed, UnaryOperator<KeyStore> before) throws Throwable {
        run(new Schedule(seed, before));
    }

    private static void run(Schedule schedule) throws Throwable {
        try {
            schedule.run();
        } finally {
            schedule.engines.forEach(Semel::close);
        }
    }

    private void run() throws Throwable {
        int processes = 2 + random.nextInt(3);
        for (int i = 0; i < processes; i++) {
            Semel semel = engines.get(i % engines.size());
            stage.add(() -> process(semel));
        }
        stage.add(this::time);
        if (engines.size() == 1 && random.nextBoolean()) stage.add(this::liar);
        stage.run();
        checkTheEnd();
    }

    /** Callers of one key mostly agree on what it promises, but nobody makes them. */
    private ClaimPolicy anyPolicy() {
        return policies.get(random.nextInt(policies.size()));
    }

    private void time() {
        for (int i = random.nextInt(4); i > 0; i--) {
            stage.step();
            clock.advance(LEASE.plusSeconds(1));
        }
    }

    /** Uses the key for something else, and must never get anywhere. */
    private void liar() {
        Semel semel = engines.getFirst();
        try {
            Claim claim = semel.claim(new ClaimRequest(id, OTHER, anyPolicy()));
            boolean first = store.history().getFirst().fingerprint().equals(OTHER);
            if (!first && !(claim instanceof Claim.Mismatched)) throw new AssertionError("a liar got " + claim);
            if (claim instanceof Claim.Granted granted)
                settled(granted.lease(), granted.lease().release());
        } catch (StoreException e) {
            stage.step();
        }
    }

    private void process(Semel semel) {
        for (int attempt = 0; attempt < 3; attempt++) {
            try {
                ClaimPolicy policy = anyPolicy();
                switch (semel.claim(new ClaimRequest(id, ASKED, policy))) {
                    case Claim.Granted granted -> {
                        if (!hold(granted.lease(), policy.guarantee())) return;
                    }
                    case Claim.AlreadyDone done -> answers.add(done.outcome());
                    case Claim.InDoubt doubt -> operator(semel, doubt);
                    case Claim.InProgress running -> stage.step();
                    case Claim.Mismatched mismatched -> {
                        return;
                    }
                    case Claim.Spent spent -> throw new AssertionError("spent too early: " + spent);
                    case Claim.TooManyWaiters full -> throw new AssertionError("nobody waits here");
                    case Claim.OverQuota over -> throw new AssertionError("nobody has a quota here");
                }
            } catch (StoreException e) {
                stage.step();
            }
        }
    }

    /** @return whether the process lives on */
    private boolean hold(Lease lease, Guarantee promised) {
        boolean alive = random.nextInt(10) != 0 && act(lease, promised);
        if (!alive) crashed.add(lease.token());
        return alive;
    }

    private boolean act(Lease lease, Guarantee promised) {
        if (random.nextInt(6) == 0) {
            settled(lease, lease.release());
            return true;
        }
        stall();
        if (!effect(lease, promised)) {
            settled(lease, lease.doubt("refused by the other side: a stale token"));
            return true;
        }
        stall();
        switch (random.nextInt(6)) {
            case 0 -> {
                return false;
            }
            case 1 -> settled(lease, lease.doubt("no answer"));
            default -> {
                Outcome mine = outcome(lease.token());
                if (settled(lease, lease.complete(mine))) answers.add(mine);
            }
        }
        return true;
    }

    private void stall() {
        for (int i = random.nextInt(4); i > 0; i--) stage.step();
    }

    /** The other side: fences by token when the operation may run more than once. */
    private boolean effect(Lease lease, Guarantee promised) {
        if (promised == Guarantee.AT_LEAST_ONCE && !effects.isEmpty() && effects.getLast() >= lease.token())
            return false;
        effects.add(lease.token());
        if (chargedForGood) throw new AssertionError("charged again after at-most-once, with tokens " + effects);
        chargedForGood = promised == Guarantee.AT_MOST_ONCE;
        return true;
    }

    private static Outcome outcome(long token) {
        return Outcome.of(("effect " + token).getBytes(StandardCharsets.UTF_8));
    }

    /** Ends a doubt only when he can know: the holder is gone, or its effect is there to be seen. */
    private void operator(Semel semel, Claim.InDoubt doubt) {
        stage.step();
        Resolution truth = truth(doubt.token());
        if (truth != null) semel.resolve(id, doubt.token(), truth, "operator", "looked");
    }

    private @Nullable Resolution truth(long token) {
        if (effects.contains(token)) return new Resolution.Completed(outcome(token), RETENTION, Duration.ofDays(30));
        return crashed.contains(token) ? new Resolution.DidNotHappen(RETENTION) : null;
    }

    /** @return whether the holder's word counts */
    private static boolean settled(Lease lease, Settlement settled) {
        return switch (settled) {
            case Settlement.Accepted(KeyRecord record) -> {
                if (record.token() != lease.token()) throw new AssertionError("a late holder got in: " + record);
                yield true;
            }
            case Settlement.Superseded superseded -> false;
            case Settlement.Unrecorded it -> throw new AssertionError("not recorded", it.cause());
        };
    }

    private void checkTheEnd() {
        if (answers.stream().distinct().count() > 1) throw new AssertionError("different answers: " + answers);
        for (Outcome answer : answers) {
            boolean real = effects.stream().anyMatch(token -> outcome(token).equals(answer));
            if (!real) throw new AssertionError("an outcome that never happened: " + answer);
        }
    }
}
