package dev.semel.http;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which statuses are stored, released or doubted. An upstream that knows better says so for one answer with the header
 * {@code Semel-Outcome: store|release|doubt}. Immutable, for use by any thread.
 */
public final class StatusRules {
    /** The header by which an upstream decides for one answer. Never passed on. */
    public static final String OVERRIDE = "Semel-Outcome";

    private final String name;
    private final Verdict[] verdicts = new Verdict[600];

    private StatusRules(String name, Map<Verdict, List<String>> ranges) {
        this.name = name;
        for (int i = 0; i < 2; i++) {
            boolean exact = i == 1;
            ranges.forEach((verdict, statuses) -> statuses.stream()
                    .filter(status -> status.endsWith("xx") != exact)
                    .forEach(status -> set(status, verdict)));
        }
    }

    /**
     * What is not known to have left the operation alone is stored: 2xx, 3xx, 4xx and 5xx. Released: 401, 403, 407, 408,
     * 425, 429 and 503, which say that nothing ran. In doubt: 502 and 504, by which some server in between says that it
     * does not know.
     */
    public static final StatusRules DEFAULT = new StatusRules(
            "default",
            Map.of(
                    Verdict.STORE, List.of("2xx", "3xx", "4xx", "5xx"),
                    Verdict.RELEASE, List.of("401", "403", "407", "408", "425", "429", "503"),
                    Verdict.DOUBT, List.of("502", "504")));

    /**
     * As Stripe's first API version documents it: every answer once execution has begun, errors of the server included,
     * is final. Not so what comes before execution: validation (400), authentication, conflicts and rate limits.
     */
    public static final StatusRules STRIPE_V1 = new StatusRules(
            "stripe-v1",
            Map.of(
                    Verdict.STORE, List.of("2xx", "3xx", "4xx", "5xx"),
                    Verdict.RELEASE, List.of("400", "401", "403", "407", "408", "409", "425", "429", "503"),
                    Verdict.DOUBT, List.of("502", "504")));

    /** Only success is final; every refusal may be tried again. For upstreams whose errors leave nothing behind. */
    public static final StatusRules SUCCESS_ONLY = new StatusRules(
            "2xx-only",
            Map.of(
                    Verdict.STORE, List.of("2xx"),
                    Verdict.RELEASE, List.of("3xx", "4xx", "5xx"),
                    Verdict.DOUBT, List.of("502", "504")));

    /**
     * As the IETF draft has it: the result of the completed operation, success or error, is replayed. Statuses by which
     * a server says that it did not take the request on (401, 403, 407, 408, 409, 425, 429, 503) complete nothing.
     */
    public static final StatusRules IETF = new StatusRules(
            "ietf",
            Map.of(
                    Verdict.STORE, List.of("2xx", "3xx", "4xx", "5xx"),
                    Verdict.RELEASE, List.of("401", "403", "407", "408", "409", "425", "429", "503"),
                    Verdict.DOUBT, List.of("502", "504")));

    /** @throws IllegalArgumentException when there is no such preset */
    public static StatusRules preset(String name) {
        for (StatusRules preset : List.of(DEFAULT, STRIPE_V1, SUCCESS_ONLY, IETF))
            if (preset.name.equals(name)) return preset;
        throw new IllegalArgumentException(
                "there is no preset '" + name + "' of statuses; known are default, stripe-v1, 2xx-only and ietf");
    }

    /**
     * Rules of one's own: statuses such as {@code 402} or {@code 2xx}, an exact one before its class. What is not named
     * is as in {@link #DEFAULT}.
     *
     * @throws IllegalArgumentException when a status is none, or stands in two lists
     */
    public static StatusRules custom(Map<Verdict, List<String>> statuses) {
        StatusRules rules = new StatusRules("custom", new EnumMap<>(statuses));
        statuses.forEach((verdict, own) -> statuses.forEach((other, theirs) -> {
            if (verdict != other)
                for (String status : own)
                    if (theirs.contains(status))
                        throw new IllegalArgumentException("status " + status + " stands in two lists");
        }));
        boolean[] named = new boolean[600];
        statuses.values()
                .forEach(list -> list.forEach(status -> {
                    for (int at : range(status)) named[at] = true;
                }));
        for (int status = 100; status < 600; status++)
            if (!named[status]) rules.verdicts[status] = DEFAULT.verdicts[status];
        return rules;
    }

    private void set(String status, Verdict verdict) {
        for (int at : range(status)) verdicts[at] = verdict;
    }

    private static int[] range(String status) {
        if (status.matches("[2-5]xx")) {
            int first = (status.charAt(0) - '0') * 100;
            return IntStream.range(first, first + 100).toArray();
        }
        if (status.matches("[2-5][0-9][0-9]")) return new int[] {Integer.parseInt(status)};
        throw new IllegalArgumentException("'" + status + "' is not a status such as 402 or 2xx");
    }

    public String name() {
        return name;
    }

    /** What this answer says about its operation. A status outside of HTTP is a doubt. */
    public Verdict verdict(int status, Headers headers) {
        Verdict said = said(headers.first(OVERRIDE));
        if (said != null) return said;
        Verdict verdict = status >= 200 && status < 600 ? verdicts[status] : null;
        return verdict == null ? Verdict.DOUBT : verdict;
    }

    private static @Nullable Verdict said(@Nullable String header) {
        if (header == null) return null;
        return switch (header.strip().toLowerCase(Locale.ROOT)) {
            case "store" -> Verdict.STORE;
            case "release" -> Verdict.RELEASE;
            case "doubt" -> Verdict.DOUBT;
            default -> null;
        };
    }
}
