package dev.semel.http.service;

import com.fasterxml.jackson.core.JsonToken;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.http.IdempotencyKey;
import dev.semel.http.Problem;
import dev.semel.http.ServiceNames;
import dev.semel.http.service.Members.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of a claim, as parsed: {@code {operation, key, payload|fingerprint, lease, wait, guarantee}}. */
record ClaimBody(ClaimId claim, Fingerprint fingerprint, ClaimPolicy policy) {
    private static final List<String> KNOWN =
            List.of("operation", "key", "payload", "fingerprint", "lease", "wait", "guarantee");

    private static final int LONGEST_OPERATION = 512;
    private static final int MOST_OPERATION_BYTES = 1024;
    private static final int LONGEST_FINGERPRINT = 512;
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);
    private static final Duration LONGEST_LEASE = Duration.ofHours(1);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    static ClaimBody read(byte[] body) throws Refusal {
        Members members = Members.read(body, KNOWN);
        ClaimId claim = new ClaimId(guarantee(members.get("guarantee")), operation(members), key(members.get("key")));
        Fingerprint fingerprint = fingerprint(members.get("payload"), members.get("fingerprint"));
        ClaimPolicy policy = claim.policy().withLease(lease(members)).withWaitFor(wait(members));
        return new ClaimBody(claim, fingerprint, policy);
    }

    private static Guarantee guarantee(@Nullable Value value) throws Refusal {
        if (value == null) return Guarantee.AT_MOST_ONCE;
        return switch (value.kind() == JsonToken.VALUE_STRING ? value.text() : "") {
            case "at-most-once" -> Guarantee.AT_MOST_ONCE;
            case "at-least-once" -> Guarantee.AT_LEAST_ONCE;
            default -> throw Members.flaw("/guarantee", "there must be \"at-most-once\" or \"at-least-once\"");
        };
    }

    private static String operation(Members members) throws Refusal {
        String operation = MemberChecks.text(members.required("operation"), "/operation", LONGEST_OPERATION);
        if (KeyId.isReserved(operation)) throw Members.flaw("/operation", "names that begin with semel: are reserved");
        int bytes = ServiceNames.kept(operation).getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_OPERATION_BYTES)
            throw Members.flaw("/operation", "the name is too long: it has " + bytes + " bytes of UTF-8");
        return operation;
    }

    private static String key(@Nullable Value value) throws Refusal {
        if (value == null) throw new Refusal(Problem.keyMemberMissing("/key"));
        if (value.kind() != JsonToken.VALUE_STRING) throw Members.flaw("/key", "there must be a string");
        if (!IdempotencyKey.isKey(value.text())) throw new Refusal(Problem.keyMemberMalformed("/key"));
        return value.text();
    }

    private static Fingerprint fingerprint(@Nullable Value payload, @Nullable Value fingerprint) throws Refusal {
        if (payload != null && fingerprint != null)
            throw Members.flaw("/fingerprint", "there must be a payload or a fingerprint, not both");
        if (payload != null) return ClaimFingerprint.ofPayload(payload.sent());
        if (fingerprint == null)
            throw Members.flaw("/payload", "there must be a payload or a fingerprint, to tell a retry from a mix-up");
        return ClaimFingerprint.ofText(MemberChecks.text(fingerprint, "/fingerprint", LONGEST_FINGERPRINT));
    }

    static Duration lease(Members members) throws Refusal {
        return MemberChecks.duration(
                members.get("lease"), "/lease", ClaimPolicy.DEFAULT.lease(), SHORTEST_LEASE, LONGEST_LEASE);
    }

    private static Duration wait(Members members) throws Refusal {
        return MemberChecks.duration(members.get("wait"), "/wait", Duration.ZERO, Duration.ZERO, LONGEST_WAIT);
    }
}
