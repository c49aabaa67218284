package dev.semel.cli;

import dev.semel.cli.AdminClient.Reply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "Lists keys: those in doubt or in progress, unless others are asked for.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class KeysListCommand implements Callable<Integer> {
    @Option(
            names = "--state",
            paramLabel = "STATES",
            description = "in-doubt, in-progress, done, spent or free; several with commas")
    private @Nullable String state;

    @Option(names = "--tenant", paramLabel = "T", description = "only the keys of this tenant")
    private @Nullable String tenant;

    @Option(names = "--limit", paramLabel = "N", description = "at most so many, up to 1000 (default: 100)")
    private @Nullable Integer limit;

    @Option(names = "--after", paramLabel = "CURSOR", description = "go on where the last list ended")
    private @Nullable String after;

    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Override
    public Integer call() {
        Map<String, String> query = new LinkedHashMap<>();
        if (state != null) query.put("state", state);
        if (tenant != null) query.put("tenant", tenant);
        if (limit != null) query.put("limit", limit.toString());
        if (after != null) query.put("after", after);
        Reply reply = admin.client().get("/admin/v1/keys" + AdminClient.query(query));
        if (reply.isRefusal()) return Refusal.print(reply, admin.json());
        if (admin.json()) System.out.println(reply.text());
        else print(reply.members());
        return 0;
    }

    private void print(Map<?, ?> page) {
        List<?> keys = page.get("keys") instanceof List<?> lines ? lines : List.of();
        if (keys.isEmpty())
            System.out.println(state == null ? "No key is in doubt or in progress." : "No key is like that.");
        else table(keys, Instant.now()).forEach(System.out::println);
        Object next = page.get("next");
        if (next != null) System.out.println("There are more: --after " + TerminalText.quoted(next.toString()));
    }

    private static List<String> table(List<?> keys, Instant now) {
        List<List<String>> rows = new ArrayList<>();
        boolean tenants = keys.stream()
                .anyMatch(key -> key instanceof Map<?, ?> it
                        && !TerminalText.text(it.get("tenant")).isEmpty());
        rows.add(row(tenants, "STATE", "SINCE", "ATTEMPT", "TOKEN", "TENANT", "OPERATION", "KEY"));
        for (Object key : keys)
            if (key instanceof Map<?, ?> it)
                rows.add(row(
                        tenants,
                        TerminalText.text(it.get("state")),
                        TerminalText.time(it.get("since"), now),
                        TerminalText.text(it.get("attempt")),
                        TerminalText.text(it.get("token")),
                        TerminalText.text(it.get("tenant")),
                        TerminalText.text(it.get("operation")),
                        TerminalText.text(it.get("key"))));
        return TerminalText.aligned(rows);
    }

    private static List<String> row(boolean tenants, String... cells) {
        List<String> row = new ArrayList<>(List.of(cells));
        if (!tenants) row.remove(4);
        return row;
    }
}
