package dev.semel.http.service;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.core.Semel;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.RemoteLease;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.StoreException;
import dev.semel.http.HttpResponse;
import dev.semel.http.JsonOutcome;
import dev.semel.http.Problem;
import dev.semel.http.StatusLink;
import dev.semel.http.service.Members.Value;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** What the holder of a claim reports about its operation: it ran, it still runs, it did not run, it may have run. */
final class HolderReports {
    private static final Duration SHORTEST_RETENTION = Duration.ofMillis(1);
    private static final Duration LONGEST_RETENTION = Duration.ofDays(3650);
    private static final int LONGEST_REASON = 512;
    private static final String NO_REASON = "the holder could not tell whether it happened";

    private final Semel semel;
    private final ClaimKeys keys;
    private final long outcomeLimit;

    HolderReports(Semel semel, ClaimKeys keys, long outcomeLimit) {
        this.semel = semel;
        this.keys = keys;
        this.outcomeLimit = outcomeLimit;
    }

    /** {@code {token, outcome, retention}}: it ran, and this is its outcome. */
    HttpResponse complete(ClaimId claim, String tenant, byte[] body) throws Refusal {
        Members members = Members.read(body, List.of("token", "outcome", "retention"));
        long token = MemberChecks.token(members);
        Outcome outcome = JsonOutcome.of(members.required("outcome").sent());
        if (outcome.payload().length > outcomeLimit) throw new Refusal(Problem.bodyTooLarge(outcomeLimit));
        Duration retention = MemberChecks.duration(
                members.get("retention"),
                "/retention",
                ClaimPolicy.DEFAULT.retention(),
                SHORTEST_RETENTION,
                LONGEST_RETENTION);
        ClaimPolicy policy = claim.policy().withRetention(retention);
        return report(claim, tenant, token, policy, lease -> lease.complete(outcome));
    }

    /** {@code {token, lease}}: it still runs. */
    HttpResponse renew(ClaimId claim, String tenant, byte[] body) throws Refusal {
        Members members = Members.read(body, List.of("token", "lease"));
        long token = MemberChecks.token(members);
        Duration duration = ClaimBody.lease(members);
        return report(claim, tenant, token, claim.policy(), lease -> lease.renew(duration));
    }

    /** {@code {token, reason}}: it may have run. */
    HttpResponse doubt(ClaimId claim, String tenant, byte[] body) throws Refusal {
        Members members = Members.read(body, List.of("token", "reason"));
        long token = MemberChecks.token(members);
        Value given = members.get("reason");
        String reason = given == null ? NO_REASON : MemberChecks.text(given, "/reason", LONGEST_REASON);
        return report(claim, tenant, token, claim.policy(), lease -> lease.doubt(reason));
    }

    /** It did not run. */
    HttpResponse release(ClaimId claim, String tenant, long token) {
        return report(claim, tenant, token, claim.policy(), RemoteLease::release);
    }

    private HttpResponse report(
            ClaimId claim, String tenant, long token, ClaimPolicy policy, Function<RemoteLease, Settlement> settle) {
        KeyId id;
        try {
            id = keys.of(claim, tenant);
        } catch (StoreException e) {
            return Problem.notRecorded();
        }
        return switch (settle.apply(semel.remoteLease(id, token, policy))) {
            case Settlement.Accepted it ->
                JsonAnswer.of(
                        200,
                        out -> write(it.record().state(), semel.store().traits().skew(), out));
            case Settlement.Superseded it -> Problem.superseded(StatusLink.of(id));
            case Settlement.Unrecorded it -> Problem.notRecorded();
        };
    }

    /** @param skew what a holder must not count on of a lease */
    private static void write(KeyState state, Duration skew, JsonGenerator out) throws IOException {
        switch (state) {
            case KeyState.Held held ->
                out.writeStringField("leaseUntil", held.leaseUntil().minus(skew).toString());
            case KeyState.Done done -> {
                out.writeStringField("state", "done");
                out.writeStringField("expires", done.replayUntil().toString());
            }
            case KeyState.InDoubt doubt -> out.writeStringField("state", "in-doubt");
            case KeyState.Free free -> out.writeStringField("state", "free");
            case KeyState.Spent spent -> throw new IllegalStateException("No report of a holder leads to " + spent);
        }
    }
}
