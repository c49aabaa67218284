package dev.semel.torture.fuzz;

import dev.semel.testkit.http.ScriptedUpstream;
import dev.semel.testkit.http.SeenRequest;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How often each operation with a key has happened at the upstream. */
final class Effects {
    private final Map<String, Integer> byOperation = new HashMap<>();

    static Effects of(ScriptedUpstream upstream) {
        Effects effects = new Effects();
        for (SeenRequest request : upstream.ledger().strays()) effects.add(request);
        return effects;
    }

    private void add(SeenRequest request) {
        String key = request.headers().first("Idempotency-Key");
        boolean guarded = request.method().equals("POST") || request.method().equals("PATCH");
        String path = request.target().replaceFirst("[?].*", "");
        if (key == null || !guarded || !path.matches("/[^/]*/charges(/.*)?")) return;
        byOperation.merge(request.method() + " " + path + " " + bare(key), 1, Integer::sum);
    }

    /** A key is the same key in quotes. */
    private static String bare(String key) {
        return key.length() > 1 && key.startsWith("\"") && key.endsWith("\"")
                ? key.substring(1, key.length() - 1)
                : key;
    }

    int operations() {
        return byOperation.size();
    }

    /** An operation that has happened more than once; null when there is none. */
    @Nullable
    String repeated() {
        for (Map.Entry<String, Integer> entry : byOperation.entrySet())
            if (entry.getValue() > 1) return entry.getKey() + ", " + entry.getValue() + " times";
        return null;
    }
}
