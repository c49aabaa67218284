package dev.semel.cli;

import dev.semel.broker.webhook.endpoint.Endpoint;
import dev.semel.broker.webhook.endpoint.WebhookEndpoints.SecretLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Endpoints for a terminal. What follows the question mark of a URL may be a secret, and is left out of lists. */
final class EndpointOutput {
    private EndpointOutput() {}

    static List<String> table(List<Endpoint> endpoints) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("ID", "STATE", "TENANT", "TOPICS", "TYPES", "ORDER", "URL"));
        for (Endpoint it : endpoints)
            rows.add(List.of(
                    it.id().toString(),
                    state(it),
                    TerminalText.text(it.plan().tenant()),
                    all(it.plan().filter().topics()),
                    all(it.plan().filter().types()),
                    it.plan().inOrder() ? "by key" : "any",
                    TerminalText.text(it.plan().url()).replaceAll("\\?.*", "?…")));
        return TerminalText.aligned(rows);
    }

    private static String all(List<String> names) {
        return names.isEmpty() ? "all" : TerminalText.text(String.join(", ", names));
    }

    private static String state(Endpoint it) {
        if (!it.isEnabled()) return "disabled";
        return it.health().openUntil() == null ? "enabled" : "failing";
    }

    static List<String> whole(Endpoint it, List<SecretLine> secrets) {
        Instant now = Instant.now();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("id", it.id().toString()));
        rows.add(List.of("url", TerminalText.text(it.plan().url())));
        rows.add(List.of("state", state(it)));
        if (it.disabled() != null) {
            rows.add(List.of("disabled", TerminalText.time(it.disabled().since(), now)));
            rows.add(List.of("because", TerminalText.text(it.disabled().reason())));
        }
        rows.add(List.of("added", TerminalText.time(it.createdAt(), now)));
        rows.add(List.of("tenant", TerminalText.text(it.plan().tenant())));
        rows.add(List.of("topics", all(it.plan().filter().topics())));
        rows.add(List.of("types", all(it.plan().filter().types())));
        rows.add(List.of("in order", it.plan().inOrder() ? "by key" : "no"));
        rows.add(List.of("time-out", it.plan().timeout().toMillis() + " ms"));
        rows.add(List.of("greatest age", it.plan().maxAge().toHours() + " h"));
        rows.add(List.of("failures", Integer.toString(it.health().failures())));
        if (it.health().failingSince() != null)
            rows.add(List.of("failing since", TerminalText.time(it.health().failingSince(), now)));
        if (it.health().openUntil() != null)
            rows.add(List.of("left alone until", TerminalText.time(it.health().openUntil(), now)));
        for (SecretLine secret : secrets)
            rows.add(List.of(
                    "secret",
                    "made " + TerminalText.time(secret.createdAt(), now)
                            + (secret.expiresAt() == null
                                    ? ""
                                    : ", counts until " + TerminalText.time(secret.expiresAt(), now))
                            + (secret.encrypted() ? ", encrypted" : ", not encrypted")));
        return TerminalText.aligned(rows);
    }
}
