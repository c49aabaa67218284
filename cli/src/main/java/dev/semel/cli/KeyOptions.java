package dev.semel.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which key. */
final class KeyOptions {
    @Parameters(paramLabel = "KEY", description = "the key, as the client sent it")
    private String key = "";

    @Option(
            names = "--operation",
            paramLabel = "OP",
            description = "its operation, such as 'POST /v1/charges' (default: found by itself, if it can be)")
    private @Nullable String operation;

    @Option(names = "--tenant", paramLabel = "T", description = "whose key it is, where there are several tenants")
    private @Nullable String tenant;

    /** @param action what to do with the key; empty to look at it */
    String target(String action, Map<String, String> more) {
        if (key.isEmpty()) throw new UsageProblem("A key is not empty.");
        Map<String, String> query = new LinkedHashMap<>();
        if (operation != null) query.put("operation", operation);
        if (tenant != null) query.put("tenant", tenant);
        query.putAll(more);
        String path = "/admin/v1/keys/" + AdminClient.encoded(key).replace(".", "%2E");
        return path + (action.isEmpty() ? "" : "/" + action) + AdminClient.query(query);
    }
}
