package dev.semel.gateway.config;

import dev.semel.core.claim.Quotas;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code quota: { keys: …, in-flight: …, waiters: … }} of tenants. What is left out has no limit. */
final class QuotaReader {
    private static final Set<String> NAMES = Set.of("keys", "in-flight", "waiters");

    private QuotaReader() {}

    static Quotas read(@Nullable YamlValue value) {
        if (value == null) return Quotas.NONE;
        Map<String, YamlValue> entries = value.map("quota", NAMES, Map.of());
        if (value.isMap() && entries.isEmpty())
            value.wrong("a quota needs 'keys', 'in-flight' or 'waiters'; leave it out for none");
        return new Quotas(
                number(entries.get("keys"), 1, Quotas.NONE.keys()),
                (int) number(entries.get("in-flight"), 1, Quotas.NONE.inFlight()),
                (int) number(entries.get("waiters"), 0, Quotas.NONE.waiters()));
    }

    /** @param none how much it is when it is left out, and more than can be given */
    private static long number(@Nullable YamlValue value, long least, long none) {
        return value == null ? none : value.as(text -> number(text, least, none), none);
    }

    private static long number(String text, long least, long none) {
        try {
            long number = Long.parseLong(text);
            if (number >= least && number < none) return number;
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(
                "'" + text + "' is not a quota; it is a whole number from " + least + " to " + (none - 1));
    }
}
