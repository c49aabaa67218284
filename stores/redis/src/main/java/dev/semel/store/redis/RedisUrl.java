package dev.semel.store.redis;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a store URL says.
 *
 * @param servers one; of a cluster, those to ask first
 * @param prefix what all names in Redis begin with
 * @param replicas how many replicas have to confirm a write; 0 for none
 * @param skew by how much clocks of servers may differ; null for the default
 * @param lossAccepted whether someone has said that keys may be lost
 */
record RedisUrl(
        boolean cluster,
        List<RedisURI> servers,
        String prefix,
        int replicas,
        @Nullable Duration skew,
        boolean lossAccepted) {
    private static final String FORMS = " It looks like redis://[user:password@]host:port[/db], rediss://… for TLS,"
            + " redis-sentinel://host:port,host:port#master or redis-cluster://host:port,host:port, with"
            + " ?accept-loss=true, ?wait=replicas, ?prefix=name: or ?skew=1s.";

    /** The driver would take a port that is no number for none at all. */
    private static final Pattern SERVER = Pattern.compile(
            "rediss?(-sentinel)?://([^@/]*@)?(\\[[0-9a-fA-F:.]+]|[^:,/?#@\\[]+)(:\\d+)?(,[^:,/?#@]+(:\\d+)?)*(/\\d*)?([?#].*)?");

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9:._/-]{0,64}");
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");
    private static final Pattern SECRET = Pattern.compile("(//)[^@/]*@");
    private static final int MOST_REPLICAS = 16;

    /** What the driver itself understands, and this store leaves to it. */
    private static final List<String> OF_THE_DRIVER = List.of("clientname", "verifypeer", "sentinelmasterid");

    static RedisUrl parse(String url) {
        int fragment = url.indexOf('#');
        String end = fragment < 0 ? "" : url.substring(fragment);
        String before = fragment < 0 ? url : url.substring(0, fragment);
        int mark = before.indexOf('?');
        String address = mark < 0 ? before : before.substring(0, mark);
        String query = mark < 0 ? "" : before.substring(mark + 1);
        Parameters parameters = new Parameters(url);
        for (String each : query.split("&", -1)) if (!each.isEmpty()) parameters.read(each);
        boolean cluster = address.startsWith("redis-cluster://") || address.startsWith("rediss-cluster://");
        String rest = parameters.ofDriver.isEmpty() ? "" : "?" + String.join("&", parameters.ofDriver);
        List<RedisURI> servers = new ArrayList<>();
        for (String each : cluster ? seeds(url, address) : List.of(address))
            servers.add(server(url, each + rest + end));
        return new RedisUrl(
                cluster, servers, parameters.prefix, parameters.replicas, parameters.skew, parameters.lossAccepted);
    }

    /** The query, word by word. */
    private static final class Parameters {
        private final String url;
        private final List<String> ofDriver = new ArrayList<>();
        private String prefix = "semel:";
        private int replicas;
        private @Nullable Duration skew;
        private boolean lossAccepted;

        Parameters(String url) {
            this.url = url;
        }

        void read(String parameter) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            String value = equals < 0 ? "" : parameter.substring(equals + 1);
            switch (name) {
                case "accept-loss" -> lossAccepted = yesOrNo(value);
                case "wait" -> replicas = count(value);
                case "prefix" -> prefix = prefix(value);
                case "skew" -> skew = duration(value);
                default -> {
                    if (!OF_THE_DRIVER.contains(name.toLowerCase(Locale.ROOT)))
                        throw wrong(url, "it does not know the option '" + name + "'");
                    ofDriver.add(parameter);
                }
            }
        }

        private boolean yesOrNo(String value) {
            if (value.equals("true") || value.equals("false")) return value.equals("true");
            throw wrong(url, "accept-loss is true or false, not '" + value + "'");
        }

        private int count(String value) {
            if (value.matches("\\d{1,2}") && Integer.parseInt(value) <= MOST_REPLICAS) return Integer.parseInt(value);
            throw wrong(url, "wait is a number of replicas from 0 to " + MOST_REPLICAS + ", not '" + value + "'");
        }

        private String prefix(String value) {
            if (PREFIX.matcher(value).matches()) return value;
            throw wrong(url, "a prefix has at most 64 letters, digits and :._/-, not '" + value + "'");
        }

        private Duration duration(String value) {
            Matcher match = DURATION.matcher(value);
            if (!match.matches()) throw wrong(url, "skew is a time such as 500ms or 2s, not '" + value + "'");
            long number = Long.parseLong(match.group(1));
            return switch (match.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                default -> Duration.ofMinutes(number);
            };
        }
    }

    /** A cluster's seeds share user and password, and have only one database. */
    private static List<String> seeds(String url, String address) {
        String scheme = address.startsWith("rediss") ? "rediss://" : "redis://";
        String hosts = address.substring(address.indexOf("//") + 2);
        String user = hosts.substring(0, hosts.lastIndexOf('@') + 1);
        hosts = hosts.substring(user.length());
        if (hosts.indexOf('/') >= 0 && !hosts.endsWith("/0") && !hosts.endsWith("/"))
            throw wrong(url, "a cluster has database 0 only");
        if (hosts.indexOf('/') >= 0) hosts = hosts.substring(0, hosts.indexOf('/'));
        List<String> seeds = new ArrayList<>();
        for (String host : hosts.split(",", -1)) seeds.add(scheme + user + host);
        return seeds;
    }

    private static RedisURI server(String url, String address) {
        boolean sentinel = address.startsWith("redis-sentinel:") || address.startsWith("rediss-sentinel:");
        if (sentinel && !address.contains("#") && !address.contains("sentinelMasterId="))
            throw wrong(url, "it does not name the master after a #");
        if (!SERVER.matcher(address).matches()) throw wrong(url, "it has no host with a port, or another scheme");
        try {
            return RedisURI.create(address);
        } catch (IllegalArgumentException e) {
            throw wrong(url, "the driver says: " + withoutSecret(String.valueOf(e.getMessage())));
        }
    }

    private static IllegalArgumentException wrong(String url, String why) {
        return new IllegalArgumentException(
                "The store URL " + withoutSecret(url) + " cannot be used: " + why + "." + FORMS);
    }

    static String withoutSecret(String text) {
        return SECRET.matcher(text).replaceAll("$1***@");
    }

    /** For messages: where a server is, and nothing about who asks. */
    static String address(RedisURI uri) {
        if (uri.getSentinels().isEmpty()) return uri.getHost() + ":" + uri.getPort();
        return "the master '" + uri.getSentinelMasterId() + "' (by Sentinel)";
    }
}
