package dev.semel.spring.actuate;

import dev.semel.core.Semel;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.Seen;
import dev.semel.spring.OnceDeclaration;
import dev.semel.spring.OnceDeclarations;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The actuator endpoint {@code semel}: what the store and the operations are, what runs here, and what is known of a key ({@code ?operation=…&key=…}, and
 * {@code &tenant=…} where there are tenants). Changes nothing, and shows no outcomes.
 */
@Endpoint(id = "semel")
public final class SemelEndpoint {
    private final Semel semel;
    private final EngineStatus status;
    private final ClaimCounts counts;
    private final List<OnceDeclarations> declarations;

    SemelEndpoint(Semel semel, EngineStatus status, ClaimCounts counts, List<OnceDeclarations> declarations) {
        this.semel = semel;
        this.status = status;
        this.counts = counts;
        this.declarations = declarations;
    }

    // Spring Boot 3 reads its own annotation, Spring Boot 4 the other.
    @ReadOperation
    public Map<String, Object> look(
            @org.springframework.lang.Nullable @Nullable String operation,
            @org.springframework.lang.Nullable @Nullable String key,
            @org.springframework.lang.Nullable @Nullable String tenant) {
        if (operation == null && key == null && tenant == null) return summary();
        if (operation == null || key == null) return Map.of("error", "Give both the operation and the key.");
        try {
            return story(KeyId.of(tenant == null ? "" : tenant, operation, key));
        } catch (IllegalArgumentException e) {
            return Map.of("error", String.valueOf(e.getMessage()));
        }
    }

    private Map<String, Object> summary() {
        Map<String, Object> summary = status.now();
        summary.put("joinsTransactions", semel.store().joining() != null);
        summary.put("sinceStart", counts.sums());
        summary.put(
                "operations",
                declarations.stream()
                        .flatMap(each -> each.all().stream())
                        .sorted(Comparator.comparing(OnceDeclaration::operation))
                        .map(SemelEndpoint::shown)
                        .toList());
        return summary;
    }

    private static Map<String, Object> shown(OnceDeclaration declared) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("operation", declared.operation());
        shown.put("method", declared.method());
        shown.put("guarantee", EngineStatus.word(declared.policy().guarantee()));
        shown.put("retention", declared.policy().retention().toString());
        shown.put("lease", declared.policy().lease().toString());
        shown.put("waitFor", declared.policy().waitFor().toString());
        return shown;
    }

    private Map<String, Object> story(KeyId id) {
        Map<String, Object> story = new LinkedHashMap<>();
        story.put("tenant", id.tenant());
        story.put("operation", id.operation());
        story.put("key", id.key());
        Seen seen = semel.find(id);
        KeyRecord record = seen == null ? null : seen.record().asOf(seen.now());
        story.put("state", seen == null || record == null ? "unknown" : stateOf(record.state(), seen.now()));
        if (record == null) return story;
        story.put("since", record.since().toString());
        story.put("attempt", record.attempt());
        story.put("token", record.token());
        switch (record.state()) {
            case KeyState.Held held -> story.put("leaseUntil", held.leaseUntil().toString());
            case KeyState.Done done -> story.put("expires", done.replayUntil().toString());
            case KeyState.InDoubt doubt -> story.put("reason", doubt.reason());
            case KeyState.Spent spent -> story.put("doneAt", spent.doneAt().toString());
            case KeyState.Free free -> story.put("forgottenAt", free.forgetAt().toString());
        }
        List<Map<String, String>> history = record.history().remarks().stream()
                .map(each -> Map.of("at", each.at().toString(), "by", each.by(), "what", each.what()))
                .toList();
        story.put("history", history);
        return story;
    }

    /** In the words that clients know too. */
    private static String stateOf(KeyState state, Instant now) {
        KeyState.Kind kind = state instanceof KeyState.Held held ? held.countsAs(now) : state.kind();
        return kind == KeyState.Kind.HELD ? "in-progress" : EngineStatus.word(kind);
    }
}
