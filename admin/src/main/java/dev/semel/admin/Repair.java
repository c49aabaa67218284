package dev.semel.admin;

import dev.semel.admin.KeySearch.Found;
import dev.semel.core.Semel;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.Resolution;
import dev.semel.core.claim.ResolveAnswer;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Seen;
import dev.semel.http.HttpResponse;
import dev.semel.http.JsonOutcome;
import dev.semel.http.ResponseCodec;
import dev.semel.http.ServiceNames;
import dev.semel.http.StoredResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What an operator may do to a key: end its doubt, or free it. Guarded by the token that was looked at, and audited. */
final class Repair {
    private static final int LONGEST_REASON = 300;
    private static final int LONGEST_NAME = 60;
    private static final Set<String> RESOLVE_NAMES =
            Set.of("token", "did", "reason", "by", "response", "retention", "tombstone");
    private static final Set<String> RELEASE_NAMES = Set.of("token", "reason", "by", "force");
    private static final ClaimPolicy USUAL = ClaimPolicy.DEFAULT;
    private static final int OF_AN_OPERATION =
            Fingerprint.of(Fingerprint.Algorithm.VALUE, new byte[] {0}).algorithm();
    private static final String NO_REASON = "no reason was given";

    private final Semel semel;
    private final Function<KeyId, @Nullable ClaimPolicy> policies;
    private final Consumer<AuditEntry> audit;

    /** @param policies what holds for the keys of an operation; null for the usual */
    Repair(Semel semel, Function<KeyId, @Nullable ClaimPolicy> policies, Consumer<AuditEntry> audit) {
        this.semel = semel;
        this.policies = policies;
        this.audit = audit;
    }

    /** Who wants it and why, about which token. */
    private record Word(String by, String reason, long token) {}

    HttpResponse resolve(Found.One found, byte[] body) {
        Given given = Given.of(JsonTree.readObject(body), RESOLVE_NAMES);
        KeyId id = found.record().id();
        Resolution resolution = resolution(given, found.record(), policyOf(id));
        boolean happened = resolution instanceof Resolution.Completed;
        Word word = word(given, found.record(), happened ? NO_REASON : null);
        String what = happened ? "resolved: it did happen" : "resolved: it did not happen";
        if (isSilent(found.record(), found.now())
                && word.token() == found.record().token()) semel.expireLease(id, USUAL);
        return answer(id, word, what, semel.resolve(id, word.token(), resolution, word.by(), word.reason()));
    }

    private ClaimPolicy policyOf(KeyId id) {
        ClaimPolicy policy = policies.apply(id);
        return policy == null ? USUAL : policy;
    }

    private static Resolution resolution(Given given, KeyRecord record, ClaimPolicy policy) {
        Object response = given.value("response");
        String did = given.text("did");
        if ("happen".equals(did) && response instanceof Map<?, ?> members) {
            Outcome outcome = outcome(record, GivenResponse.of(members));
            Duration retention = given.duration("retention", policy.retention());
            Duration tombstone = given.duration("tombstone", policy.tombstone());
            ClaimPolicy checked = policy.withRetention(retention).withTombstone(tombstone);
            return new Resolution.Completed(outcome, checked.retention(), checked.tombstone());
        }
        if ("happen".equals(did))
            throw new IllegalArgumentException(
                    "what did happen needs a 'response': what every retry of the client is told from now on");
        if (!"not-happen".equals(did)) throw new IllegalArgumentException("'did' must be 'happen' or 'not-happen'");
        if (response != null || given.value("retention") != null || given.value("tombstone") != null)
            throw new IllegalArgumentException("what did not happen has no 'response', 'retention' or 'tombstone'");
        return new Resolution.DidNotHappen(policy.retention());
    }

    /**
     * In the form that whoever claimed the key reads back: of an operation in Java, the bytes that its codec reads; of the
     * service API a JSON value, where the operator gave one; of a request, the response.
     */
    private static Outcome outcome(KeyRecord record, HttpResponse given) {
        if (record.fingerprint().algorithm() == OF_AN_OPERATION)
            return Outcome.of(Outcome.Format.VALUE, given.body(), 0);
        boolean json = ServiceNames.isService(record.id().operation()) && JsonTree.isValid(given.body());
        return json
                ? JsonOutcome.of(new String(given.body(), StandardCharsets.UTF_8).strip())
                : ResponseCodec.encode(StoredResponse.whole(given));
    }

    /** @param otherwise the reason when none is given; null when there must be one */
    private static Word word(Given given, KeyRecord record, @Nullable String otherwise) {
        String line = given.line("reason", LONGEST_REASON);
        String reason = line == null ? otherwise : line;
        if (reason == null) throw new IllegalArgumentException("a 'reason' is needed: it stays in the key's history");
        String by = given.line("by", LONGEST_NAME);
        Long token = given.number("token");
        return new Word(by == null ? "operator" : by, reason, token == null ? record.token() : token);
    }

    HttpResponse release(Found.One found, byte[] body) {
        Given given = Given.of(JsonTree.readObject(body), RELEASE_NAMES);
        Word word = word(given, found.record(), null);
        KeyRecord record = found.record();
        KeyId id = record.id();
        Duration keep = policyOf(id).retention();
        if (given.isTrue("force"))
            return answer(
                    id,
                    word,
                    "released by force",
                    semel.forceRelease(id, word.token(), word.by(), word.reason(), keep));
        boolean live = record.state() instanceof KeyState.Held && !isSilent(record, found.now());
        if (live && word.token() == record.token())
            return AdminProblem.stillRunning(StateWord.of(record.state(), found.now()), record);
        if (isSilent(record, found.now()) && word.token() == record.token()) semel.expireLease(id, USUAL);
        Resolution didNot = new Resolution.DidNotHappen(keep);
        return answer(id, word, "released", semel.resolve(id, word.token(), didNot, word.by(), word.reason()));
    }

    private static boolean isSilent(KeyRecord record, Instant now) {
        return record.state() instanceof KeyState.Held held && held.isSilent(now);
    }

    private HttpResponse answer(KeyId id, Word word, String what, ResolveAnswer resolved) {
        return switch (resolved) {
            case ResolveAnswer.Accepted it -> {
                audit.accept(AuditEntry.of(id, word.token(), word.by(), what, word.reason()));
                yield KeyStory.of(it.record(), it.record().since(), false);
            }
            case ResolveAnswer.Refused it -> refusal(id, word, it.current());
        };
    }

    private HttpResponse refusal(KeyId id, Word word, @Nullable KeyRecord current) {
        Seen seen = current == null ? null : semel.find(id);
        KeyRecord record = seen == null ? null : seen.record().asOf(seen.now());
        if (seen == null || record == null) return AdminProblem.keyUnknown("The key is gone meanwhile.");
        String state = StateWord.of(record.state(), seen.now());
        if (record.token() != word.token()) return AdminProblem.tokenMoved(state, record);
        return AdminProblem.notInDoubt(state, record);
    }
}
