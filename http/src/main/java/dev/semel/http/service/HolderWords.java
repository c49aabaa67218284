package dev.semel.http.service;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.core.ClaimPolicy;
import dev.semel.core.RemoteLease;
import dev.semel.core.Semel;
import dev.semel.core.Settled;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.http.HttpResponse;
import dev.semel.http.JsonOutcome;
import dev.semel.http.Problem;
import dev.semel.http.StatusLink;
import dev.semel.http.service.Members.Value;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** What the holder of a claim says about its operation: it ran, it still runs, it did not run, it may have run. */
final class HolderWords {
    private static final Duration SHORTEST_RETENTION = Duration.ofMillis(1);
    private static final Duration LONGEST_RETENTION = Duration.ofDays(3650);
    private static final int LONGEST_REASON = 512;
    private static final String NO_REASON = "the holder could not tell whether it happened";

    private final Semel semel;
    private final long outcomeLimit;

    HolderWords(Semel semel, long outcomeLimit) {
        this.semel = semel;
        this.outcomeLimit = outcomeLimit;
    }

    /** {@code {token, outcome, retention}}: it ran, and this is its outcome. */
    HttpResponse complete(ClaimId claim, String tenant, byte[] body) throws Refusal {
        Members members = Members.read(body, List.of("token", "outcome", "retention"));
        long token = Wanted.token(members);
        Outcome outcome = JsonOutcome.of(members.required("outcome").sent());
        if (outcome.bytes().length - 1 > outcomeLimit) throw new Refusal(Problem.bodyTooLarge(outcomeLimit));
        Duration retention = Wanted.duration(
                members.get("retention"),
                "/retention",
                ClaimPolicy.DEFAULT.retention(),
                SHORTEST_RETENTION,
                LONGEST_RETENTION);
        ClaimPolicy policy = claim.policy().withRetention(retention);
        return answer(
                claim, semel.heldElsewhere(claim.of(tenant), token, policy).complete(outcome));
    }

    /** {@code {token, lease}}: it still runs. */
    HttpResponse renew(ClaimId claim, String tenant, byte[] body) throws Refusal {
        Members members = Members.read(body, List.of("token", "lease"));
        RemoteLease lease = lease(claim, tenant, Wanted.token(members));
        return answer(claim, lease.renew(ClaimOrder.lease(members)));
    }

    /** {@code {token, reason}}: it may have run. */
    HttpResponse doubt(ClaimId claim, String tenant, byte[] body) throws Refusal {
        Members members = Members.read(body, List.of("token", "reason"));
        RemoteLease lease = lease(claim, tenant, Wanted.token(members));
        Value reason = members.get("reason");
        return answer(claim, lease.doubt(reason == null ? NO_REASON : Wanted.text(reason, "/reason", LONGEST_REASON)));
    }

    /** It did not run. */
    HttpResponse release(ClaimId claim, String tenant, long token) {
        return answer(claim, lease(claim, tenant, token).release());
    }

    private RemoteLease lease(ClaimId claim, String tenant, long token) {
        return semel.heldElsewhere(claim.of(tenant), token, claim.policy());
    }

    private static HttpResponse answer(ClaimId claim, Settled settled) {
        return switch (settled) {
            case Settled.Accepted it ->
                JsonAnswer.of(200, out -> write(it.record().state(), out));
            case Settled.Superseded it -> Problem.superseded(StatusLink.of(claim.of("")));
            case Settled.Unrecorded it -> Problem.notRecorded();
        };
    }

    private static void write(KeyState state, JsonGenerator out) throws IOException {
        switch (state) {
            case KeyState.Held held ->
                out.writeStringField("leaseUntil", held.leaseUntil().toString());
            case KeyState.Done done -> {
                out.writeStringField("state", "done");
                out.writeStringField("expires", done.replayUntil().toString());
            }
            case KeyState.InDoubt doubt -> out.writeStringField("state", "in-doubt");
            case KeyState.Free free -> out.writeStringField("state", "free");
            case KeyState.Spent spent -> throw new IllegalStateException("No word of a holder leads to " + spent);
        }
    }
}
