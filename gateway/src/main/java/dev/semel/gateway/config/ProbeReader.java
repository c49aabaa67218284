package dev.semel.gateway.config;

import dev.semel.core.claim.ProbePlan;
import dev.semel.http.Headers;
import dev.semel.http.ProbeRule;
import dev.semel.http.json.JsonExtractor;
import dev.semel.http.template.PathTemplate;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the {@code probe} of a route. */
final class ProbeReader {
    private static final Set<String> NAMES = Set.of(
            "get",
            "post",
            "headers",
            "found",
            "absent",
            "outcome",
            "status",
            "after",
            "timeout",
            "back-off",
            "longest-back-off",
            "attempts");
    private static final String EMPTY = "empty";

    private final YamlValue section;
    private final Map<String, YamlValue> entries;

    private ProbeReader(YamlValue section) {
        this.section = section;
        this.entries = section.map("probe", NAMES, Map.of());
    }

    static @Nullable ProbeRule read(YamlValue section) {
        return section.isMap() ? new ProbeReader(section).rule() : notAMap(section);
    }

    private static @Nullable ProbeRule notAMap(YamlValue section) {
        section.wrong("probe must be a map, such as { get: \"/v1/charges?idempotency_key={key}\", found: 200,"
                + " absent: 404, after: 2s }");
        return null;
    }

    private @Nullable ProbeRule rule() {
        boolean get = entries.containsKey("get");
        if (get == entries.containsKey("post")) {
            section.wrong("a probe needs either 'get' or 'post' with the path to ask at");
            return null;
        }
        YamlValue place = entries.get(get ? "get" : "post");
        PathTemplate path = place == null ? null : place.orNull(ProbeReader::path);
        Set<Integer> found = statuses("found", "200", false);
        Set<Integer> absent = statuses("absent", "404", true);
        boolean absentIfEmpty = absent.remove(0);
        if (absentIfEmpty && !entries.containsKey("outcome"))
            section.wrong("'absent: empty' needs 'outcome', the place in the answer that may be empty");
        for (int status : absent)
            if (found.contains(status)) section.wrong(status + " cannot mean both found and absent");
        Headers headers = headers();
        String outcome = outcome();
        Integer status = status();
        Duration after = duration("after", ProbePlan.DEFAULT_AFTER);
        Duration timeout = duration("timeout", ProbePlan.DEFAULT_TIMEOUT);
        Duration pause = duration("back-off", ProbePlan.DEFAULT_PAUSE);
        Duration longest = duration("longest-back-off", ProbePlan.DEFAULT_LONGEST_PAUSE);
        int attempts = attempts();
        if (path == null) return null;
        return new ProbeRule(
                get ? "GET" : "POST",
                path,
                headers,
                Set.copyOf(found),
                Set.copyOf(absent),
                absentIfEmpty,
                outcome,
                status,
                after,
                timeout,
                pause,
                longest,
                attempts);
    }

    private static PathTemplate path(String text) {
        PathTemplate path = PathTemplate.parse(text, ProbeRule.PLACEHOLDERS);
        if (ProbeRule.PLACEHOLDERS.stream().noneMatch(path::uses))
            throw new IllegalArgumentException("a probe must ask about one request: put {key}, {header:NAME} or"
                    + " {body:/POINTER} into its path");
        return path;
    }

    /** @return the statuses, and zero for {@code empty} */
    private Set<Integer> statuses(String name, String otherwise, boolean mayBeEmpty) {
        Set<Integer> statuses = new LinkedHashSet<>();
        YamlValue value = entries.get(name);
        if (value == null) return new LinkedHashSet<>(List.of(Integer.valueOf(otherwise)));
        for (YamlValue item : value.isList() ? value.list(name) : List.of(value)) {
            Integer status = item.orNull(text -> mayBeEmpty && text.equals(EMPTY) ? 0 : finalStatus(text));
            if (status != null) statuses.add(status);
        }
        return statuses;
    }

    private static int finalStatus(String text) {
        if (text.matches("[2-5][0-9][0-9]")) return Integer.parseInt(text);
        throw new IllegalArgumentException("'" + text + "' is not a status such as 200 or 404");
    }

    private Headers headers() {
        Headers headers = Headers.NONE;
        YamlValue value = entries.get("headers");
        if (value == null) return headers;
        for (Map.Entry<String, YamlValue> entry :
                value.mapOfAny("headers", ProbeReader::headerName).entrySet()) {
            String text = entry.getValue().orNull(ProbeReader::headerValue);
            if (text != null) headers = headers.with(entry.getKey(), text);
        }
        return headers;
    }

    private static String headerName(String text) {
        if (text.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) return text;
        throw new IllegalArgumentException("'" + text + "' is not the name of a header");
    }

    /** What is wrong is not repeated: it may be a secret. */
    private static String headerValue(String text) {
        if (text.chars().allMatch(c -> c >= ' ' && c < 127)) return text;
        throw new IllegalArgumentException("a header can have visible ASCII characters and spaces only");
    }

    private @Nullable String outcome() {
        YamlValue value = entries.get("outcome");
        return value == null ? null : value.orNull(ProbeReader::pointer);
    }

    private static String pointer(String text) {
        JsonExtractor.of(List.of(text));
        return text;
    }

    private @Nullable Integer status() {
        YamlValue value = entries.get("status");
        return value == null ? null : value.orNull(ProbeReader::finalStatus);
    }

    private Duration duration(String name, Duration otherwise) {
        YamlValue value = entries.get(name);
        if (value == null) return otherwise;
        return value.as(name.equals("after") ? Quantities::duration : Quantities::positive, otherwise);
    }

    private int attempts() {
        YamlValue value = entries.get("attempts");
        if (value == null) return ProbePlan.DEFAULT_ATTEMPTS;
        return value.as(ProbeReader::count, ProbePlan.DEFAULT_ATTEMPTS);
    }

    private static int count(String text) {
        if (text.matches("[0-9]{1,6}")) return Integer.parseInt(text);
        throw new IllegalArgumentException("'" + text + "' is not a number of attempts");
    }
}
