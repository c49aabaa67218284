package dev.semel.gateway.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which stores there are, by the beginning of their URLs. */
public final class StoreUrl {
    /** What can be written, for messages. */
    public static final String KNOWN =
            "Known are memory:, rocksdb:DIR[?durability=os], jdbc:postgresql://HOST/DATABASE,"
                    + " jdbc:mariadb://HOST/DATABASE, jdbc:mysql://HOST/DATABASE, redis://HOST,"
                    + " redis-sentinel://HOST,HOST#MASTER, redis-cluster://HOST,HOST, dynamodb://REGION/TABLE and"
                    + " cassandra://HOST,HOST/KEYSPACE?dc=NAME.";

    /** The stores that go by a URL. */
    public enum Kind {
        MEMORY,
        ROCKSDB,
        JDBC,
        REDIS,
        DYNAMODB,
        CASSANDRA
    }

    private static final Map<String, Kind> BEGINNINGS = Map.ofEntries(
            Map.entry("memory:", Kind.MEMORY),
            Map.entry("rocksdb:", Kind.ROCKSDB),
            Map.entry("jdbc:postgresql:", Kind.JDBC),
            Map.entry("jdbc:mariadb:", Kind.JDBC),
            Map.entry("jdbc:mysql:", Kind.JDBC),
            Map.entry("redis://", Kind.REDIS),
            Map.entry("rediss://", Kind.REDIS),
            Map.entry("redis-sentinel://", Kind.REDIS),
            Map.entry("rediss-sentinel://", Kind.REDIS),
            Map.entry("redis-cluster://", Kind.REDIS),
            Map.entry("rediss-cluster://", Kind.REDIS),
            Map.entry("dynamodb://", Kind.DYNAMODB),
            Map.entry("cassandra://", Kind.CASSANDRA));

    private StoreUrl() {}

    /** @throws IllegalArgumentException when no store goes by such a URL; the message holds no password */
    public static String checked(String url) {
        kind(url);
        return url;
    }

    /** @throws IllegalArgumentException as {@link #checked} */
    public static Kind kind(String url) {
        for (Map.Entry<String, Kind> each : BEGINNINGS.entrySet())
            if (url.startsWith(each.getKey()) && (each.getValue() != Kind.MEMORY || url.equals(each.getKey())))
                return each.getValue();
        throw new IllegalArgumentException(flaw(url));
    }

    /** The URL without what may be a password in it. */
    public static String withoutSecrets(String url) {
        return url.startsWith("rocksdb:") ? url : url.replaceFirst("[?].*", "").replaceFirst("//[^/]*@", "//");
    }

    private static String flaw(String url) {
        String shown = url.replaceFirst("[?].*", "").replaceFirst("//[^/]*@", "//");
        int colon = url.indexOf(':', url.startsWith("jdbc:") ? "jdbc:".length() : 0);
        if (colon < 0)
            return "'" + shown + "' is not the URL of a store. For a folder, write rocksdb:" + shown + ". " + KNOWN;
        String meant = meant(url.substring(0, colon + 1));
        return "No store goes by the URL '" + shown + "'. " + (meant == null ? "" : "Did you mean " + meant + "? ")
                + KNOWN;
    }

    private static @Nullable String meant(String scheme) {
        List<String> schemes = BEGINNINGS.keySet().stream()
                .map(beginning -> beginning.replace("//", ""))
                .sorted()
                .toList();
        String meant = Spelling.nearest(scheme, schemes);
        return scheme.equals(meant) ? null : meant;
    }
}
