package dev.semel.http;

import dev.semel.core.claim.Probe;
import dev.semel.core.claim.ProbePlan;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.http.json.JsonSlice;
import dev.semel.http.template.Rendering;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Asks the upstream itself whether an operation has happened, as the rule of its route says. For use by any thread. */
public final class UpstreamProbe implements Probe {
    private static final byte[] NO_BODY = {};

    private final ProbeRule rule;
    private final HeaderRules headers;
    private final Sender sender;

    private UpstreamProbe(ProbeRule rule, HeaderRules headers, Sender sender) {
        this.rule = rule;
        this.headers = headers;
        this.sender = sender;
    }

    /** Sends a probe and blocks until its fate is clear. An answer that is too large to keep counts as broken. */
    @FunctionalInterface
    public interface Sender {
        Exchange<?> send(HttpRequest probe);
    }

    /** When and how the upstream is asked about the keys of a route. */
    public static ProbePlan plan(ProbeRule rule, HeaderRules headers, Sender sender) {
        Probe probe = new UpstreamProbe(rule, headers, sender);
        return new ProbePlan(probe, rule.after(), rule.timeout(), rule.pause(), rule.longestPause(), rule.attempts());
    }

    /** What the probe will need of the request, when the request itself is gone. */
    static Memo memo(@Nullable ProbeRule rule, String key, HttpRequest request) {
        if (rule == null || !rule.needsMemo()) return Memo.NONE;
        return switch (rule.path().asPath(RequestValues.of(key, request))) {
            case Rendering.Text(String path)
            when path.length() <= Memo.MOST_BYTES -> Memo.of(path.getBytes(StandardCharsets.UTF_8));
            case Rendering.Text tooLong -> Memo.NONE;
            case Rendering.Missing missing -> Memo.NONE;
        };
    }

    @Override
    public Finding ask(KeyId id, Memo memo) {
        if (rule.needsMemo() && memo.isEmpty())
            return new Finding.StillUnknown("the request did not hold what the probe asks by");
        if (rule.needsMemo()) {
            String path = new String(memo.payload(), StandardCharsets.UTF_8);
            return path.startsWith("/")
                    ? ask(path)
                    : new Finding.StillUnknown("what the probe asks by is sealed with a key that is not given here");
        }
        return switch (rule.path().asPath(RequestValues.ofKey(id.key()))) {
            case Rendering.Text(String path) -> ask(path);
            case Rendering.Missing missing -> new Finding.StillUnknown(missing.what());
        };
    }

    private Finding ask(String target) {
        int question = target.indexOf('?');
        String path = question < 0 ? target : target.substring(0, question);
        String query = question < 0 ? null : target.substring(question + 1);
        return switch (sender.send(new HttpRequest(rule.method(), path, query, rule.headers(), NO_BODY))) {
            case Exchange.Answered<?> it -> judge(it.response());
            case Exchange.NotSent<?> it -> new Finding.StillUnknown("the upstream could not be reached");
            case Exchange.Broken<?> it -> new Finding.StillUnknown("the upstream gave no full answer: " + it.why());
            case Exchange.TimedOut<?> it -> new Finding.StillUnknown("the upstream gave no answer in time");
            case Exchange.TooLargeToKeep<?> it -> new Finding.StillUnknown("the answer was too large to keep");
        };
    }

    private Finding judge(HttpResponse answer) {
        if (rule.absent().contains(answer.status())) return new Finding.DidNotHappen();
        if (!rule.found().contains(answer.status()))
            return new Finding.StillUnknown("the upstream answered " + answer.status());
        if (rule.outcome() == null) return happened(answer, headers.stored(answer.headers()), answer.body());
        return switch (JsonSlice.of(answer.body(), rule.outcome())) {
            case JsonSlice.Cut(byte[] json) ->
                happened(answer, Headers.NONE.with("Content-Type", "application/json"), json);
            case JsonSlice.Empty it when rule.absentIfEmpty() -> new Finding.DidNotHappen();
            case JsonSlice.Empty it -> new Finding.StillUnknown("the answer has nothing at " + rule.outcome());
            case JsonSlice.Nothing it -> new Finding.StillUnknown("the answer has no place " + rule.outcome());
            case JsonSlice.NoJson it -> new Finding.StillUnknown("the answer is no valid JSON");
        };
    }

    private Finding happened(HttpResponse answer, Headers kept, byte[] body) {
        int status = rule.status() == null ? answer.status() : rule.status();
        Outcome outcome = ResponseCodec.encode(StoredResponse.whole(new HttpResponse(status, kept, body)));
        return new Finding.Happened(outcome);
    }
}
