package dev.semel.core.claim;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.Memo;

/**
 * A wish to be the one that runs the operation.
 *
 * @param memo what a probe will need, should it come to that
 * @param remote whether someone outside this process will run it and renew the lease; then nothing here does
 */
public record ClaimRequest(KeyId id, Fingerprint fingerprint, ClaimPolicy policy, Memo memo, boolean remote) {

    public ClaimRequest(KeyId id, Fingerprint fingerprint, ClaimPolicy policy) {
        this(id, fingerprint, policy, Memo.NONE, false);
    }

    public ClaimRequest withMemo(Memo memo) {
        return new ClaimRequest(id, fingerprint, policy, memo, remote);
    }

    public ClaimRequest forRemoteHolder() {
        return new ClaimRequest(id, fingerprint, policy, memo, true);
    }
}
