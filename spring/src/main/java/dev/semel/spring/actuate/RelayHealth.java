package dev.semel.spring.actuate;

import dev.semel.messaging.tables.OutboxStatus;
import dev.semel.spring.messaging.RelayOfApplication;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is known of the relay now. A broker that is away is shown, and is no reason to be down: messages wait for it in the outbox,
 * and the application goes on.
 */
record RelayHealth(RelayOfApplication relay) {
    boolean isUp() {
        return relay.isRunning() && relay.failure() == null;
    }

    Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("running", relay.isRunning());
        details.put("broker", relay.brokerName());
        Instant away = relay.brokerAwaySince();
        if (away != null) details.put("brokerAwaySeconds", seconds(Duration.between(away, Instant.now())));
        String failure = relay.failure();
        if (failure != null) details.put("failure", failure);
        OutboxStatus status = relay.status();
        if (status != null) show(status, details);
        return details;
    }

    private static void show(OutboxStatus status, Map<String, Object> details) {
        details.put("waiting", status.waiting());
        if (status.oldest() != null) details.put("oldestSeconds", seconds(status.oldest()));
        details.put("deadLetters", status.deadLetters());
        details.put("parkedKeys", status.parkedKeys());
        OutboxStatus.Blocker blocker = status.blocker();
        if (blocker == null) return;
        details.put("blocker", blocker.what());
        details.put("blockerSeconds", seconds(blocker.since()));
    }

    private static long seconds(Duration time) {
        return Math.max(0, time.toSeconds());
    }
}
