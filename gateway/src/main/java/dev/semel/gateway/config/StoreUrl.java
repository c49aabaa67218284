package dev.semel.gateway.config;

import java.util.List;
import java.util.stream.Stream;
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
        MEMORY("memory:"),
        ROCKSDB("rocksdb:"),
        JDBC("jdbc:postgresql:", "jdbc:mariadb:", "jdbc:mysql:"),
        REDIS(
                "redis://",
                "rediss://",
                "redis-sentinel://",
                "rediss-sentinel://",
                "redis-cluster://",
                "rediss-cluster://"),
        DYNAMODB("dynamodb://"),
        CASSANDRA("cassandra://");

        private final List<String> beginnings;

        Kind(String... beginnings) {
            this.beginnings = List.of(beginnings);
        }
    }

    private StoreUrl() {}

    /** @throws IllegalArgumentException when no store goes by such a URL; the message holds no password */
    public static String checked(String url) {
        kind(url);
        return url;
    }

    /** @throws IllegalArgumentException as {@link #checked} */
    public static Kind kind(String url) {
        for (Kind kind : Kind.values())
            if (kind.beginnings.stream().anyMatch(url::startsWith) && (kind != Kind.MEMORY || url.equals("memory:")))
                return kind;
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
        List<String> schemes = Stream.of(Kind.values())
                .flatMap(kind -> kind.beginnings.stream())
                .map(beginning -> beginning.replace("//", ""))
                .toList();
        String meant = Spelling.nearest(scheme, schemes);
        return scheme.equals(meant) ? null : meant;
    }
}
