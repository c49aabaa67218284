package dev.semel.client.ledger;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Which headers are secrets, and therefore never written to a ledger. */
public final class Secrets {
    private static final Set<String> NAMES = Set.of(
            "authorization",
            "proxy-authorization",
            "cookie",
            "cookie2",
            "set-cookie",
            "set-cookie2",
            "www-authenticate",
            "proxy-authenticate",
            "authentication-info");

    /** Without what stands between words: {@code X-Api_Key} is one as well. */
    private static final List<String> PARTS =
            List.of("secret", "token", "password", "apikey", "authkey", "accesskey", "subscriptionkey", "credential");

    private Secrets() {}

    /** Goes by the name alone: the usual ones, and whatever calls itself a token, a secret, a password or an API key. */
    public static boolean isSecret(String header) {
        String name = header.toLowerCase(Locale.ROOT);
        String letters = name.replaceAll("[^a-z0-9]", "");
        return NAMES.contains(name) || PARTS.stream().anyMatch(letters::contains);
    }
}
