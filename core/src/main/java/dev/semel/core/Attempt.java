package dev.semel.core;

import dev.semel.core.claim.Lease;
import dev.semel.core.key.KeyId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/** One run of an {@link Effect}: what it needs to be safe further down. */
public final class Attempt {
    /** The namespace of all keys that are derived here; never changes, or retries would get other keys. */
    private static final UUID NAMESPACE = UUID.fromString("5e3e1000-0000-4000-8000-000000000001");

    private final Lease lease;

    Attempt(Lease lease) {
        this.lease = lease;
    }

    /** The key that the operation was asked for with. */
    public String key() {
        return lease.id().key();
    }

    /** The fencing token: grows with every run of the same key. Whatever checks it refuses the late words of a dead run. */
    public long token() {
        return lease.token();
    }

    /** 1 for the first run of the key. */
    public int number() {
        return lease.attempt();
    }

    /** Whether the key is certainly still this run's. To be asked again right before a part that takes effect late. */
    public boolean isStillHeld() {
        return lease.isSurelyHeld();
    }

    /**
     * A key for another service, derived from this operation, its key and that name: the same in every run, and in every
     * process. A UUID of version 5.
     */
    public String downstreamKey(String service) {
        KeyId id = lease.id();
        byte[] name = (id.tenant() + '\0' + id.operation() + '\0' + id.key() + '\0' + service)
                .getBytes(StandardCharsets.UTF_8);
        return uuid5(name).toString();
    }

    private static UUID uuid5(byte[] name) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(ByteBuffer.allocate(16)
                    .putLong(NAMESPACE.getMostSignificantBits())
                    .putLong(NAMESPACE.getLeastSignificantBits())
                    .flip());
            ByteBuffer digest = ByteBuffer.wrap(sha1.digest(name));
            long high = (digest.getLong() & ~0xf000L) | 0x5000L;
            long low = (digest.getLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
            return new UUID(high, low);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1.", e);
        }
    }
}
