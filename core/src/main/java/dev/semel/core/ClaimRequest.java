package dev.semel.core;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.Memo;

/**
 * A wish to be the one that runs the operation.
 *
 * @param memo what a probe will need, should it come to that
 * @param heldElsewhere whether someone outside this process will run it and renew the lease; then nothing here does
 */
public record ClaimRequest(KeyId id, Fingerprint fingerprint, ClaimPolicy policy, Memo memo, boolean heldElsewhere) {

    public ClaimRequest(KeyId id, Fingerprint fingerprint, ClaimPolicy policy) {
        this(id, fingerprint, policy, Memo.NONE, false);
    }

    public ClaimRequest withMemo(Memo memo) {
        return new ClaimRequest(id, fingerprint, policy, memo, heldElsewhere);
    }

    public ClaimRequest forElsewhere() {
        return new ClaimRequest(id, fingerprint, policy, Memo.ELSEWHERE, true);
    }
}
