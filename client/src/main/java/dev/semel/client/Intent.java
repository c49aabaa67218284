package dev.semel.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a caller wants to happen once, by a name that stays the same over retries and restarts, such as {@code "pay order
 * 17"}. Not the request: a second payment of the same order is another intent.
 */
public final class Intent {
    private static final int LONGEST_NAME = 500;

    private final String name;
    private final @Nullable String derivedKey;

    private Intent(String name, @Nullable String derivedKey) {
        if (name.isBlank()) throw new IllegalArgumentException("An intent needs a name.");
        if (name.length() > LONGEST_NAME)
            throw new IllegalArgumentException("The name of an intent may have " + LONGEST_NAME + " characters at most,"
                    + " this has " + name.length() + ".");
        if (name.chars().anyMatch(Character::isISOControl))
            throw new IllegalArgumentException("The name of an intent may have no control characters.");
        this.name = name;
        this.derivedKey = derivedKey;
    }

    /** With a new key, a UUID of version 7, that only the ledger knows. */
    public static Intent of(String name) {
        return new Intent(name, null);
    }

    /**
     * With a key that follows from its parts, a UUID of version 5: who loses the ledger gets the same key again. It never
     * changes, so that another operation needs another intent.
     *
     * @param user who wants it
     * @param operation what kind of thing it is, such as {@code "charge"}
     * @param resource what it is done to, such as {@code "order-17"}
     * @param intent tells apart what the same user wants with the same resource, such as {@code "first instalment"}
     */
    public static Intent derived(String user, String operation, String resource, String intent) {
        List<String> parts = List.of(user, operation, resource, intent);
        for (String part : parts)
            if (part.isBlank()) throw new IllegalArgumentException("User, operation, resource and intent are needed.");
        String name = parts.stream()
                .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8))
                .collect(Collectors.joining("/"));
        UUID key = Keys.uuid5(name);
        return new Intent(name, key.toString());
    }

    public String name() {
        return name;
    }

    /** The key that follows from its parts; null when it gets a new one. */
    @Nullable
    String derivedKey() {
        return derivedKey;
    }

    @Override
    public String toString() {
        return name;
    }
}
