package dev.semel.core.engine;

import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.key.KeyState;
import dev.semel.core.rules.ClaimRules;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.time.Backoff;
import dev.semel.core.time.EngineTime;
import java.time.Duration;

/**
 * Claims that ended without an answer from the store, and whose callers run nothing. Should such a claim have been written
 * after all, its key must not stay held by nobody: it is looked for, and released, in the background. They have places of
 * their own there, so that they never keep an outcome from being written.
 */
public final class GivenUpClaims {
    private final KeyStore store;
    private final SemelListener listener;
    private final HolderWrites writes;
    private final PendingWrites pending;
    private final Duration retryPause;
    private final EngineTime time;

    public GivenUpClaims(
            KeyStore store, SemelListener listener, HolderWrites writes, Duration retryPause, EngineTime time) {
        this.store = store;
        this.listener = listener;
        this.writes = writes;
        this.pending = new PendingWrites(listener);
        this.retryPause = retryPause;
        this.time = time;
    }

    /** Those of them that are known to be written are released within this time. */
    public void close(Duration grace) {
        pending.close(grace);
    }

    void release(ClaimRequest request, String holder) {
        PendingWrites.Word word = new PendingWrites.Word(request.id(), 0, "that its claim was given up");
        boolean unused = pending.add(word, () -> lookAndRelease(request, holder));
    }

    /** For as long as a lease lasts, counted from when the store answers: one that hangs may write the claim afterwards. */
    private boolean lookAndRelease(ClaimRequest request, String holder) {
        long lease = request.policy().lease().toNanos();
        Backoff backoff = new Backoff(time, retryPause);
        long answersSince = 0;
        boolean answers = false;
        boolean told = false;
        while (pending.isTrying() && (!answers || time.nanos() - answersSince < lease)) {
            try {
                if (released(request, holder) || pending.isClosing()) return true;
                if (!answers) answersSince = time.nanos();
                answers = true;
            } catch (StoreException e) {
                if (!told) listener.on(new SemelEvent.BackgroundTaskFailed("release a claim without an answer", e));
                told = true;
                answers = false;
            }
            backoff.pause();
        }
        return answers;
    }

    private boolean released(ClaimRequest request, String holder) {
        Seen seen = store.find(request.id());
        boolean written = seen != null
                && seen.record().state() instanceof KeyState.Held held
                && held.holder().equals(holder);
        if (seen == null || !written) return false;
        long token = seen.record().token();
        return writes.release(
                seen.record(),
                pending::isTrying,
                now -> ClaimRules.onRelease(now, token, request.policy(), time.instant()));
    }
}
