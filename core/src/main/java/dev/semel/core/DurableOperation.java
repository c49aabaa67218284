package dev.semel.core;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Memo;
import dev.semel.core.store.StoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An operation that comes to an end also when its caller does not: what a crash or a failure cut off is taken up in the
 * background, by any process on the same store that knows this operation. Made by {@link Operation#durable}.
 *
 * <p>Safe for use by any thread.
 *
 * @param <R> what is asked for
 * @param <T> what it gives
 */
public final class DurableOperation<R, T extends @Nullable Object> {
    private static final int DEFAULT_ATTEMPTS = 20;

    private final Operation<T> operation;
    private final String name;
    private final Codec<R> requests;
    private final Body<R, T> body;
    private volatile int mostAttempts = DEFAULT_ATTEMPTS;

    /** What it does: steps, and what is between them. Whatever has an effect belongs into a step. */
    @FunctionalInterface
    public interface Body<R, T extends @Nullable Object> {
        T run(R request, Attempt attempt) throws Exception;
    }

    DurableOperation(Operation<T> operation, String name, Codec<R> requests, Body<R, T> body) {
        this.operation = operation;
        this.name = name;
        this.requests = requests;
        this.body = body;
    }

    /**
     * After how many attempts the background leaves it alone: then the operation is in doubt, where operators see it. 20
     * unless said otherwise. Claims of callers count too.
     */
    public DurableOperation<R, T> giveUpAfter(int attempts) {
        if (attempts < 1) throw new IllegalArgumentException("At least one attempt, not " + attempts + ".");
        mostAttempts = attempts;
        return this;
    }

    ClaimPolicy policy() {
        return operation.policy();
    }

    int mostAttempts() {
        return mostAttempts;
    }

    /**
     * Runs it, or gives what the first run gave.
     *
     * @throws SemelException when there is no outcome to give
     * @throws StoreException when the store does not answer; nothing ran then
     * @throws IllegalArgumentException when the request cannot be kept; nothing ran then
     * @throws Exception what the body throws
     */
    public T once(String key, R request) throws Exception {
        return operation.valueOf(attempt(key, request));
    }

    /** The same, answered by a value. */
    public Once<T> attempt(String key, R request) throws Exception {
        ClaimRequest asked = new ClaimRequest(
                        KeyId.of(operation.tenant(), name, key), operation.fingerprint(request), operation.policy())
                .withMemo(memo(request));
        return operation.attempt(asked, attempt -> body.run(request, attempt));
    }

    /** The same for one tenant, whose keys no other tenant meets. */
    public DurableOperation<R, T> withTenant(String tenant) {
        return new DurableOperation<>(operation.withTenant(tenant), name, requests, body).giveUpAfter(mostAttempts);
    }

    private Memo memo(R request) {
        byte[] encoded = requests.encode(request);
        try {
            return Progress.of(encoded).memo();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "A request of " + encoded.length + " bytes is too large to be kept for the background, which takes "
                            + Memo.MOST_BYTES + " with all that the steps give. Nothing was run.",
                    e);
        }
    }

    /** Goes on with an attempt that was cut off, as a duplicate of it would; unless someone else has gone on meanwhile. */
    Once<T> resume(KeyRecord cutOff) throws Exception {
        ClaimRequest asked = new ClaimRequest(
                        cutOff.id(), cutOff.fingerprint(), operation.policy().withWaitFor(Duration.ZERO))
                .goingOnAfter(cutOff.token());
        return operation
                .withTenant(cutOff.id().tenant())
                .attempt(asked, attempt -> body.run(attempt.request(requests), attempt));
    }
}
