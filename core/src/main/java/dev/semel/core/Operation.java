package dev.semel.core;

import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.ProbePlan;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that must take effect once per key, however often it is asked for.
 *
 * <pre>{@code
 * Operation<Receipt> charge = semel.operation("charge", Json.codec(Receipt.class)).withRetention(Duration.ofDays(7));
 * Receipt receipt = charge.once(orderId, request, attempt -> bank.pay(request, attempt.downstreamKey("bank")));
 * }</pre>
 *
 * <p>What an effect returns is recorded before anybody gets it. What it throws is judged by the {@link FailurePolicy}: an
 * exception that is not named there leaves the key in doubt, for the effect may have happened.
 *
 * <p>Immutable, and safe for use by any thread: the withers return another operation.
 */
public final class Operation<T extends @Nullable Object> {
    private static final Duration RETRY_SOON = Duration.ofSeconds(1);

    private final Semel semel;
    private final String tenant;
    private final String name;
    private final Codec<T> codec;
    private final ClaimPolicy policy;
    private final FailurePolicy failures;

    Operation(Semel semel, String tenant, String name, Codec<T> codec, ClaimPolicy policy, FailurePolicy failures) {
        this.semel = semel;
        this.tenant = tenant;
        this.name = name;
        this.codec = codec;
        this.policy = policy;
        this.failures = failures;
    }

    /** The same for one tenant, whose keys no other tenant meets. */
    public Operation<T> withTenant(String tenant) {
        return new Operation<>(semel, tenant, name, codec, policy, failures);
    }

    /** What holds after a crash or a lost answer; at most once unless said otherwise. */
    public Operation<T> withGuarantee(Guarantee guarantee) {
        return with(policy.withGuarantee(guarantee));
    }

    /** How long this process may be silent before it counts as dead; renewed while an effect runs. */
    public Operation<T> withLease(Duration lease) {
        return with(policy.withLease(lease));
    }

    /** How long an outcome is given to duplicates. */
    public Operation<T> withRetention(Duration retention) {
        return with(policy.withRetention(retention));
    }

    /** How long after that a late retry is still refused rather than run. */
    public Operation<T> withTombstone(Duration tombstone) {
        return with(policy.withTombstone(tombstone));
    }

    /** How long a duplicate waits for the attempt in flight; zero to be told at once. */
    public Operation<T> withWaitFor(Duration waitFor) {
        return with(policy.withWaitFor(waitFor));
    }

    /** How a doubt is ended without anybody's help. */
    public Operation<T> withProbe(ProbePlan probe) {
        return with(policy.withProbe(probe));
    }

    /** What the exceptions of an effect say; without this, nothing: every one leaves a doubt. */
    public Operation<T> withFailures(FailurePolicy failures) {
        return new Operation<>(semel, tenant, name, codec, policy, failures);
    }

    private Operation<T> with(ClaimPolicy changed) {
        return new Operation<>(semel, tenant, name, codec, changed, failures);
    }

    /**
     * Runs the effect, or gives what its first run gave.
     *
     * @param key names the operation to its caller, such as the number of an order
     * @param request what is asked for: a retry must ask for the same
     * @throws X what the effect throws; to duplicates too, where the policy says that it is an outcome
     * @throws SemelException when there is no outcome to give
     * @throws StoreException when the store does not answer; nothing ran then
     */
    public <X extends Exception> T once(String key, @Nullable Object request, Effect<T, X> effect) throws X {
        return switch (attempt(key, request, effect)) {
            case Once.Ran<T> it -> it.value();
            case Once.Replayed<T> it -> it.value();
            case Once.Failed<T> it -> throw Operation.<X>asThrown(it.failure());
            case Once.InProgress<T> it -> throw new InProgressException(name, it.retryAfter());
            case Once.InDoubt<T> it -> throw new OutcomeUnknownException(name, it.reason(), it.retryAfter(), null);
            case Once.KeyReused<T> it -> throw new KeyReusedException(name);
            case Once.Spent<T> it -> throw new KeySpentException(name, it.doneAt());
            case Once.NotKept<T> it -> throw new OutcomeNotKeptException(name, it.reason());
            case Once.OverQuota<T> it -> throw new QuotaExceededException(name, it.quota(), it.retryAfter());
        };
    }

    /**
     * The same, answered by a value.
     *
     * @throws X what the effect throws, unless the policy says that it is an outcome
     * @throws StoreException when the store does not answer; nothing ran then
     */
    public <X extends Exception> Once<T> attempt(String key, @Nullable Object request, Effect<T, X> effect) throws X {
        KeyId id = KeyId.of(tenant, name, key);
        ClaimRequest asked = new ClaimRequest(id, fingerprint(request), policy);
        semel.remember(name, policy);
        return switch (semel.claim(asked)) {
            case Claim.Granted it -> run(it.lease(), effect);
            case Claim.AlreadyDone it -> replayed(it.outcome(), it.doneAt());
            case Claim.InProgress it -> new Once.InProgress<>(it.retryAfter());
            case Claim.TooManyWaiters it -> new Once.InProgress<>(it.retryAfter());
            case Claim.InDoubt it -> new Once.InDoubt<>(it.reason(), it.retryAfter());
            case Claim.Mismatched it -> new Once.KeyReused<>();
            case Claim.Spent it -> new Once.Spent<>(it.doneAt());
            case Claim.OverQuota it -> new Once.OverQuota<>(it.what(), it.retryAfter());
        };
    }

    private Fingerprint fingerprint(@Nullable Object request) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return Fingerprint.of(Fingerprint.Algorithm.VALUE, sha.digest(codec.canonical(request)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    private <X extends Exception> Once<T> run(Lease lease, Effect<T, X> effect) throws X {
        // C3: from here on the effect may happen; until the lease is settled, only this process knows how far it got.
        try (lease) {
            if (!lease.isSurelyHeld()) {
                lease.release();
                return new Once.InProgress<>(RETRY_SOON);
            }
            T value;
            try {
                value = effect.run(new Attempt(lease));
            } catch (Exception | Error e) {
                return failed(lease, e);
            }
            // C4: done, not yet recorded. Should the codec fail, closing the lease leaves the doubt that there is.
            Outcome outcome = Outcome.of(Outcome.Format.VALUE, codec.encode(value), 0);
            return recorded(lease, outcome, new Once.Ran<>(value));
        }
    }

    private <X extends Exception> Once<T> failed(Lease lease, Throwable failure) throws X {
        switch (failures.of(failure)) {
            case PERMANENT -> {
                Exception permanent = (Exception) failure;
                Outcome outcome = Outcome.of(Outcome.Format.FAILURE, failures.encode(permanent), 0);
                return recorded(lease, outcome, new Once.Failed<>(permanent, false));
            }
            case TRANSIENT -> lease.release();
            case DOUBT -> {
                String reason = "the effect ended with " + failure.getClass().getName();
                lease.doubt(reason);
                // Of an operation inside the effect these may say that nothing ran; of this one they do not.
                if (failure instanceof SemelException || failure instanceof StoreException)
                    throw new OutcomeUnknownException(name, reason, null, failure);
            }
        }
        throw Operation.<X>asThrown(failure);
    }

    /** What was just recorded is given only when it is durable. */
    private Once<T> recorded(Lease lease, Outcome outcome, Once<T> answer) {
        return switch (lease.complete(outcome)) {
            case Settlement.Accepted it -> answer;
            case Settlement.Superseded it -> overtaken(lease);
            case Settlement.Unrecorded it ->
                new Once.InDoubt<>("it ran, and the store has not taken its outcome yet", RETRY_SOON);
        };
    }

    /** Someone else ended this key meanwhile. What counts is what is recorded, not what this run saw. */
    private Once<T> overtaken(Lease lease) {
        try {
            Seen seen = semel.find(lease.id());
            KeyRecord now = seen == null ? null : seen.record().asOf(seen.now());
            if (now != null
                    && now.state() instanceof KeyState.Done done
                    && now.fingerprint().equals(lease.fingerprint())) return replayed(done.outcome(), now.since());
        } catch (StoreException e) {
            // Not for the caller, who would take it that nothing ran.
        }
        return new Once.InDoubt<>("another attempt took over", RETRY_SOON);
    }

    private Once<T> replayed(Outcome outcome, Instant doneAt) {
        if (outcome.isShredded()) return new Once.NotKept<>("it was not kept, or its encryption key is gone");
        try {
            if (outcome.format() == Outcome.Format.VALUE)
                return new Once.Replayed<>(codec.decode(outcome.payload()), doneAt);
            if (outcome.format() == Outcome.Format.FAILURE) {
                Exception failure = failures.decode(outcome.payload());
                if (failure != null) return new Once.Failed<>(failure, true);
                return new Once.NotKept<>("it ended with an exception that this operation no longer knows");
            }
        } catch (RuntimeException e) {
            return new Once.NotKept<>("it cannot be read: " + e.getMessage());
        }
        Outcome.Format format = outcome.format();
        return new Once.NotKept<>(
                format == null
                        ? "it is encrypted, or of a format that this program does not know"
                        : "it was recorded as " + format + ", not by an operation like this");
    }

    /** The compiler cannot know that what was recorded is of the type that the effect throws; whoever named it does. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> X asThrown(Throwable failure) throws X {
        throw (X) failure;
    }
}
