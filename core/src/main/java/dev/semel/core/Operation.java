package dev.semel.core;

import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.JoinedTransaction;
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
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import javax.sql.DataSource;
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
    private final @Nullable JoinedTransaction transaction;

    Operation(
            Semel semel,
            String tenant,
            String name,
            Codec<T> codec,
            ClaimPolicy policy,
            FailurePolicy failures,
            @Nullable JoinedTransaction transaction) {
        this.semel = semel;
        this.tenant = tenant;
        this.name = name;
        this.codec = codec;
        this.policy = policy;
        this.failures = failures;
        this.transaction = transaction;
    }

    /** The same for one tenant, whose keys no other tenant meets. */
    public Operation<T> withTenant(String tenant) {
        return new Operation<>(semel, tenant, name, codec, policy, failures, transaction);
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
        return new Operation<>(semel, tenant, name, codec, policy, failures, transaction);
    }

    /**
     * The same inside the caller's own transaction, in the database where the keys are: claim, effect and outcome commit
     * together or not at all, whoever crashes when. Nothing has to be renewed, and nothing can be in doubt.
     *
     * <p>While another transaction runs the same key, this one waits for it inside the database, for as long as {@link
     * #withWaitFor} says, and can go on with other work whatever the answer is. An effect that ends with an exception
     * that is not {@linkplain FailurePolicy#permanent permanent} leaves a transaction that can only be rolled back.
     *
     * <pre>{@code
     * Receipt receipt = charge.joining(connection).once(orderId, request, attempt -> ledger.insert(connection, request));
     * connection.commit();
     * }</pre>
     *
     * @param transaction a connection with a transaction open; its owner commits it. Use what this returns only until then
     */
    public Operation<T> joining(Connection transaction) {
        Objects.requireNonNull(transaction, "The connection to join is null.");
        return joining(new JoinedTransaction(transaction, false));
    }

    Operation<T> joining(JoinedTransaction transaction) {
        return new Operation<>(
                semel, tenant, name, codec, policy.withGuarantee(Guarantee.JOINED), failures, transaction);
    }

    /**
     * The same with a transaction that is begun and committed here: the shortest way for a program that has no transaction
     * open yet, and the fastest, for outcome and commit are one round trip.
     *
     * <pre>{@code
     * Receipt receipt = charge.transacting(database).once(orderId, request,
     *         (attempt, transaction) -> ledger.insert(transaction, request));
     * }</pre>
     *
     * @param database the database where the keys are; best a pool
     */
    public TransactingOperation<T> transacting(DataSource database) {
        Objects.requireNonNull(database, "The database is null.");
        if (transaction != null)
            throw new IllegalStateException("This operation already joins a transaction, and cannot begin its own.");
        return new TransactingOperation<>(this, database);
    }

    /**
     * Says that a transaction that joined this key has been committed. Duplicates that wait in this process outside any
     * transaction then learn of it at once; otherwise they do within a tenth of a second. Does nothing else.
     */
    public void committed(String key) {
        semel.committed(KeyId.of(tenant, name, key));
    }

    private Operation<T> with(ClaimPolicy changed) {
        return new Operation<>(semel, tenant, name, codec, changed, failures, transaction);
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
        return this.<X>valueOf(attempt(key, request, effect));
    }

    <X extends Exception> T valueOf(Once<T> answer) throws X {
        return switch (answer) {
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
        return attempt(new ClaimRequest(KeyId.of(tenant, name, key), fingerprint(request), policy), effect);
    }

    <X extends Exception> Once<T> attempt(ClaimRequest asked, Effect<T, X> effect) throws X {
        semel.remember(name, policy);
        return switch (transaction == null ? semel.claim(asked) : semel.claim(asked, transaction)) {
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

    /**
     * The same operation as one piece: request and effect are known before anybody asks, so that the background can go on
     * with what a crash cut off. It runs at least once: give it {@linkplain Attempt#step steps}.
     *
     * <pre>{@code
     * DurableOperation<Order, Receipt> checkout = semel.operation("checkout", Json.codec(Receipt.class))
     *         .durable(Json.codec(Order.class), (order, attempt) -> {
     *             Charge charge = attempt.step("charge", Charge.class, step -> bank.charge(order, step.downstreamKey()));
     *             return attempt.step("ship", Receipt.class, step -> warehouse.ship(order, charge, step.downstreamKey()));
     *         });
     * Receipt receipt = checkout.once(orderId, order);
     * }</pre>
     *
     * @param requests how requests are kept until the operation has ended
     */
    public <R> DurableOperation<R, T> durable(Codec<R> requests, DurableOperation.Body<R, T> body) {
        if (transaction != null)
            throw new IllegalStateException("An operation that joins a transaction needs nobody to go on with it.");
        DurableOperation<R, T> durable =
                new DurableOperation<>(withGuarantee(Guarantee.AT_LEAST_ONCE), name, requests, body);
        semel.remember(name, durable.policy());
        semel.resumeBy(name, durable);
        return durable;
    }

    boolean isOutcome(Exception failure) {
        return failures.of(failure) == FailurePolicy.Meaning.PERMANENT;
    }

    ClaimPolicy policy() {
        return policy;
    }

    String tenant() {
        return tenant;
    }

    Fingerprint fingerprint(@Nullable Object request) {
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
            Progress before = Progress.of(lease.memo());
            if (before.failure() != null)
                return goOnUndoing(lease, before, before.failure().value(), effect);
            StepLog steps = new StepLog(lease, policy.guarantee(), before, null);
            T value;
            try {
                value = effect.run(new Attempt(lease, codec, steps));
            } catch (Exception | Error e) {
                return failed(lease, steps, e);
            }
            // C4: done, not yet recorded. Should the codec fail, closing the lease leaves the doubt that there is.
            Outcome outcome = Outcome.of(Outcome.Format.VALUE, codec.encode(value), 0);
            return recorded(lease, outcome, new Once.Ran<>(value));
        }
    }

    private <X extends Exception> Once<T> failed(Lease lease, StepLog steps, Throwable failure) throws X {
        // What Semel itself could not do in a step is no word of the effect's, whatever the policy says of such a type.
        switch (steps.hasFailed() ? FailurePolicy.Meaning.DOUBT : failures.of(failure)) {
            case PERMANENT -> {
                Exception permanent = (Exception) failure;
                byte[] noted = failures.encodeShort(permanent);
                return undone(lease, steps, noted, failures.encode(permanent), new Once.Failed<>(permanent, false));
            }
            case TRANSIENT -> {
                if (transaction == null) lease.release();
                else lease.doubt("the effect ended with " + failure.getClass().getName());
            }
            case DOUBT -> {
                String reason = "the effect ended with " + failure.getClass().getName();
                lease.doubt(reason);
                // Of an operation inside the effect these may say that nothing ran; of this one they do not. Of a
                // joined one they do: what ran is rolled back.
                if (transaction == null && (failure instanceof SemelException || failure instanceof StoreException))
                    throw new OutcomeUnknownException(name, reason, null, failure);
            }
        }
        throw Operation.<X>asThrown(failure);
    }

    /** An earlier run was cut off while it undid its steps. Running the effect again tells what undoes each. */
    private <X extends Exception> Once<T> goOnUndoing(
            Lease lease, Progress before, byte[] recorded, Effect<T, X> effect) {
        Exception known = known(recorded);
        Exception failure = known != null ? known : new IllegalStateException("The operation has failed for good.");
        StepLog steps = new StepLog(lease, policy.guarantee(), before, failure);
        try {
            effect.run(new Attempt(lease, codec, steps));
        } catch (Exception e) {
            // However it ends this time: what counts is what was recorded.
            if (e != failure) failure.addSuppressed(e);
        }
        return undone(
                lease,
                steps,
                recorded,
                recorded,
                known != null
                        ? new Once.Failed<>(known, false)
                        : new Once.NotKept<>("it ended with an exception that this operation no longer knows"));
    }

    private @Nullable Exception known(byte[] recorded) {
        try {
            return failures.decode(recorded);
        } catch (RuntimeException e) {
            return null;
        }
    }

    private Once<T> undone(Lease lease, StepLog steps, byte[] noted, byte[] recorded, Once<T> answer) {
        try {
            steps.undo(noted);
        } catch (Exception e) {
            if (e instanceof InterruptedException) Thread.currentThread().interrupt();
            String reason = "the operation has failed, and its steps are not all undone yet";
            lease.doubt(reason);
            throw new OutcomeUnknownException(name, reason, RETRY_SOON, e);
        }
        return recorded(lease, Outcome.of(Outcome.Format.FAILURE, recorded, 0), answer);
    }

    /** What was just recorded is given only when it is durable. */
    private Once<T> recorded(Lease lease, Outcome outcome, Once<T> answer) {
        return switch (lease.complete(outcome)) {
            case Settlement.Accepted it -> answer;
            case Settlement.Superseded it -> overtaken(lease);
            case Settlement.Unrecorded it ->
                new Once.InDoubt<>(
                        transaction == null
                                ? "it ran, and the store has not taken its outcome yet"
                                : "the answer to the commit is lost: it happened, with its outcome, or left nothing",
                        RETRY_SOON);
        };
    }

    /** Someone else ended this key meanwhile. What counts is what is recorded, not what this run saw. */
    private Once<T> overtaken(Lease lease) {
        if (transaction != null) return new Once.InProgress<>(RETRY_SOON);
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
                Exception failure = known(outcome.payload());
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
