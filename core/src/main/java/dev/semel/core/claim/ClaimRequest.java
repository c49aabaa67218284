package dev.semel.core.claim;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.Memo;

/**
 * A wish to be the one that runs the operation.
 *
 * @param memo what a probe will need, should it come to that
 * @param remote whether someone outside this process will run it and renew the lease; then nothing here does
 * @param goesOnAfter the token of the attempt that it is to go on after: nothing is granted once there was another.
 *     {@link #ANY} for most claims
 */
public record ClaimRequest(
        KeyId id, Fingerprint fingerprint, ClaimPolicy policy, Memo memo, boolean remote, long goesOnAfter) {
    public static final long ANY = -1;

    public ClaimRequest(KeyId id, Fingerprint fingerprint, ClaimPolicy policy) {
        this(id, fingerprint, policy, Memo.NONE, false, ANY);
    }

    public ClaimRequest withMemo(Memo memo) {
        return new ClaimRequest(id, fingerprint, policy, memo, remote, goesOnAfter);
    }

    public ClaimRequest goingOnAfter(long token) {
        return new ClaimRequest(id, fingerprint, policy, memo, remote, token);
    }

    public ClaimRequest forRemoteHolder() {
        return new ClaimRequest(id, fingerprint, policy, memo, true, goesOnAfter);
    }
}
