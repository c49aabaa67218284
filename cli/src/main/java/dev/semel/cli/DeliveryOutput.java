package dev.semel.cli;

import dev.semel.broker.webhook.delivery.WebhookDeliveries.Attempt;
import dev.semel.broker.webhook.delivery.WebhookDeliveries.Line;
import dev.semel.broker.webhook.delivery.WebhookDeliveries.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Deliveries for a terminal. */
final class DeliveryOutput {
    private DeliveryOutput() {}

    static List<String> table(List<Line> lines) {
        Instant now = Instant.now();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("MESSAGE", "ENDPOINT", "STATE", "TRIED", "DUE", "TOPIC", "KEY", "TYPE", "LAST ERROR"));
        for (Line it : lines)
            rows.add(List.of(
                    it.message().toString(),
                    it.endpoint().toString(),
                    it.underWay() ? "under way" : it.state().name().toLowerCase(Locale.ROOT),
                    Integer.toString(it.attempts()),
                    it.state() == State.OPEN ? TerminalText.time(it.dueAt(), now) : "",
                    TerminalText.text(it.topic()),
                    TerminalText.text(it.key()),
                    TerminalText.text(it.type()),
                    TerminalText.text(it.error())));
        return TerminalText.aligned(rows);
    }

    static List<String> attempts(List<Attempt> attempts) {
        Instant now = Instant.now();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("ATTEMPT", "ENDPOINT", "AT", "STATUS", "TOOK", "ERROR", "ANSWER"));
        for (Attempt it : attempts)
            rows.add(List.of(
                    Integer.toString(it.number()),
                    it.endpoint().toString(),
                    TerminalText.time(it.at(), now),
                    it.status() == null ? "none" : it.status().toString(),
                    it.took().toMillis() + " ms",
                    TerminalText.text(it.error()),
                    TerminalText.text(it.body())));
        return TerminalText.aligned(rows);
    }
}
