package dev.semel.gateway.config;

import java.util.List;

/** Which stores there are, by the beginning of their URLs. */
public final class StoreUrl {
    /** What can be written, for messages. */
    public static final String KNOWN =
            "Known are memory:, rocksdb:DIR[?durability=os] and jdbc:postgresql://HOST/DATABASE.";

    private static final List<String> SCHEMES = List.of("memory:", "rocksdb:", "jdbc:postgresql:");

    private StoreUrl() {}

    /** @throws IllegalArgumentException when no store goes by such a URL; the message holds no password */
    public static String checked(String url) {
        if (url.equals("memory:") || url.startsWith("rocksdb:") || url.startsWith("jdbc:postgresql:")) return url;
        throw new IllegalArgumentException(flaw(url));
    }

    private static String flaw(String url) {
        String shown = url.replaceFirst("[?].*", "").replaceFirst("//[^/]*@", "//");
        int colon = url.indexOf(':', url.startsWith("jdbc:") ? "jdbc:".length() : 0);
        if (colon < 0)
            return "'" + shown + "' is not the URL of a store. For a folder, write rocksdb:" + shown + ". " + KNOWN;
        String scheme = url.substring(0, colon + 1);
        String meant = Spelling.nearest(scheme, SCHEMES);
        return "No store goes by the URL '" + shown + "'. "
                + (meant == null || meant.equals(scheme) ? "" : "Did you mean " + meant + "? ") + KNOWN;
    }
}
