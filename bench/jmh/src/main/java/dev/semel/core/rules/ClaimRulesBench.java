package dev.semel.core.rules;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Ruling;
import dev.semel.core.store.Seen;
import java.time.Instant;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The rules on the path of a request, and the name of a key, which every request makes anew. */
@State(Scope.Thread)
public class ClaimRulesBench {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Fingerprint FINGERPRINT = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[32]);

    private final KeyId id = KeyId.of("tenant", "POST /v1/charges", "7f3a9b21-3f9d-4c7a-81b8-4e6f00000001");
    private final ClaimRequest request = new ClaimRequest(id, FINGERPRINT, ClaimPolicy.DEFAULT);
    private final Seen done = new Seen(
            record(new KeyState.Done(Outcome.of(new byte[300]), NOW.plusSeconds(3600), NOW.plusSeconds(7200))), NOW);
    private final KeyRecord held = record(new KeyState.Held("holder", NOW.plusSeconds(30)));
    private final Outcome outcome = Outcome.of(new byte[300]);
    private String key = "7f3a9b21-3f9d-4c7a-81b8-4e6f00000001";

    private KeyRecord record(KeyState state) {
        return new KeyRecord(id, FINGERPRINT, 1, 1, 1, NOW, state);
    }

    @Benchmark
    public Object claimOfDoneKey() {
        return ClaimRules.onClaim(done, request, "holder");
    }

    @Benchmark
    public Ruling<Settlement> completion() {
        return ClaimRules.onComplete(held, 1, outcome, ClaimPolicy.DEFAULT, NOW);
    }

    @Benchmark
    public KeyId keyId() {
        return KeyId.of("tenant", "POST /v1/charges", key);
    }
}
