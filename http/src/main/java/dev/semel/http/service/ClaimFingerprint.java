package dev.semel.http.service;

import dev.semel.core.key.Fingerprint;
import dev.semel.http.PartsDigest;
import dev.semel.http.json.CanonicalJson;
import java.nio.charset.StandardCharsets;

/**
 * The fingerprint of a claim: of its payload, or of what the caller gives as one.
 *
 * <p>Algorithm 2 is SHA-256 over the payload in its canonical form, if it has one ({@link CanonicalJson}), else over its
 * bytes as sent. Algorithm 3 is SHA-256 over the caller's own fingerprint. A change needs a new algorithm id:
 * fingerprints live as long as keys do.
 */
final class ClaimFingerprint {
    private static final int BYTES = 0;
    private static final int JSON = 1;
    private static final CanonicalJson CANONICAL = CanonicalJson.whole();

    private ClaimFingerprint() {}

    static Fingerprint ofPayload(String json) {
        byte[] sent = json.getBytes(StandardCharsets.UTF_8);
        byte[] canonical = CANONICAL.of(sent);
        PartsDigest digest = new PartsDigest();
        digest.number(canonical == null ? BYTES : JSON);
        digest.part(canonical == null ? sent : canonical);
        return Fingerprint.of(Fingerprint.Algorithm.PAYLOAD, digest.sha256());
    }

    static Fingerprint ofText(String text) {
        PartsDigest digest = new PartsDigest();
        digest.part(text);
        return Fingerprint.of(Fingerprint.Algorithm.GIVEN, digest.sha256());
    }
}
