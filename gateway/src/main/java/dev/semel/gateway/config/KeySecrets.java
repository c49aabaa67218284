package dev.semel.gateway.config;

import dev.semel.http.KeySource;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Headers with secrets cannot name an operation: keys are stored and shown as they are, and one secret is sent with many. */
final class KeySecrets {
    private static final Set<String> ALWAYS = Set.of("authorization", "proxy-authorization", "cookie");

    private KeySecrets() {}

    /** What is wrong with such a source of keys; null when nothing is. */
    static @Nullable String flaw(KeySource source, @Nullable TenantSettings tenant) {
        Set<String> secrets = new TreeSet<>(ALWAYS);
        if (tenant instanceof TenantSettings.Header it) secrets.add(it.name().toLowerCase(Locale.ROOT));
        for (String name : source.headers()) {
            if (!secrets.contains(name.toLowerCase(Locale.ROOT))) continue;
            return "the header " + name + " holds a secret, and a client sends the same one with every operation; keys"
                    + " are stored and shown as they are. Take the key from what names one operation, such as"
                    + " header:Idempotency-Key or body:/invoice";
        }
        return null;
    }
}
