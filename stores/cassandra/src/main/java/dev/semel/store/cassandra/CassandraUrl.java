package dev.semel.store.cassandra;

import dev.semel.store.cassandra.CassandraOptions.Consistency;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What {@code cassandra://[user:password@]host[:port],…/keyspace?dc=…} says. The password is in no message and in no
 * {@code toString}.
 *
 * @param datacenter null when the URL names none
 * @param create whether the keyspace is to be made when it is missing
 */
record CassandraUrl(
        List<InetSocketAddress> hosts,
        String keyspace,
        @Nullable String datacenter,
        @Nullable Credentials credentials,
        boolean tls,
        boolean create,
        CassandraOptions options) {

    private static final String FORM =
            "cassandra://host1,host2/keyspace?dc=datacenter1, with [user:password@] before the hosts if the server"
                + " asks for them, and &consistency=global|local, &skew=10s, &timeout=2500ms, &tls=true, &create=true,"
                + " &user=…, &password=… if need be";
    private static final Pattern SHAPE = Pattern.compile("cassandra://(?:([^@/?]*)@)?([^@/?]+)/([^/?]*)(?:\\?(.*))?");
    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[^:\\[\\]]+)(?::(\\d{1,5}))?");
    private static final Pattern KEYSPACE = Pattern.compile("[a-z][a-z0-9_]{0,47}");
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");
    private static final int USUAL_PORT = 9042;
    private static final int LAST_PORT = 65535;
    private static final Set<String> PARAMETERS =
            Set.of("dc", "consistency", "skew", "timeout", "tls", "create", "user", "password");

    /** Who asks. */
    record Credentials(String user, String password) {
        @Override
        public String toString() {
            return "Credentials of " + user;
        }
    }

    /** @throws IllegalArgumentException when it makes no sense; the message says why, and what it should look like */
    static CassandraUrl parse(String url, CassandraOptions defaults) {
        Matcher shape = SHAPE.matcher(url);
        if (!shape.matches()) throw wrong("it has another shape");
        Map<String, String> parameters = parameters(shape.group(4));
        String keyspace = shape.group(3);
        if (!KEYSPACE.matcher(keyspace).matches())
            throw wrong("its keyspace is '" + keyspace + "', and not a name of small letters, digits and _");
        return new CassandraUrl(
                hosts(shape.group(2)),
                keyspace,
                parameters.get("dc"),
                credentials(shape.group(1), parameters),
                flag("tls", parameters),
                flag("create", parameters),
                options(parameters, defaults));
    }

    private static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (query == null || query.isEmpty()) return parameters;
        for (String each : query.split("&", -1)) {
            int mark = each.indexOf('=');
            String name = mark < 0 ? each : each.substring(0, mark);
            if (mark < 0 || !PARAMETERS.contains(name)) throw wrong("it has no parameter '" + name + "'");
            String value = decoded(each.substring(mark + 1));
            if (value.isEmpty()) throw wrong("its parameter " + name + " is empty");
            if (parameters.put(name, value) != null) throw wrong("its parameter " + name + " is there twice");
        }
        return parameters;
    }

    /** Nodes of a cluster mostly have the same port: the one of the last host is that of all that name none. */
    private static List<InetSocketAddress> hosts(String list) {
        List<Matcher> hosts = new ArrayList<>();
        for (String each : list.split(",", -1)) {
            Matcher host = HOST.matcher(each);
            if (!host.matches()) throw wrong("'" + each + "' is no host, or host and port");
            hosts.add(host);
        }
        int port = port(hosts.getLast().group(2), USUAL_PORT);
        return hosts.stream()
                .map(it -> InetSocketAddress.createUnresolved(bare(it.group(1)), port(it.group(2), port)))
                .toList();
    }

    private static int port(@Nullable String digits, int otherwise) {
        int port = digits == null ? otherwise : Integer.parseInt(digits);
        if (port < 1 || port > LAST_PORT) throw wrong("a port is between 1 and " + LAST_PORT + ", not " + port);
        return port;
    }

    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static @Nullable Credentials credentials(@Nullable String userInfo, Map<String, String> parameters) {
        String user = parameters.get("user");
        String password = parameters.get("password");
        if (userInfo != null) {
            int mark = userInfo.indexOf(':');
            if (mark < 0 && password == null) throw wrong("it has a user without a password");
            user = decoded(mark < 0 ? userInfo : userInfo.substring(0, mark));
            if (mark >= 0) password = decoded(userInfo.substring(mark + 1));
        }
        if (user == null && password == null) return null;
        if (user == null || password == null) throw wrong("user and password go together");
        return new Credentials(user, password);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw wrong("a percent sign in it is not followed by two hexadecimal digits");
        }
    }

    private static boolean flag(String name, Map<String, String> parameters) {
        String value = parameters.getOrDefault(name, "false");
        if (!value.equals("true") && !value.equals("false"))
            throw wrong(name + " is true or false, not '" + value + "'");
        return value.equals("true");
    }

    private static CassandraOptions options(Map<String, String> parameters, CassandraOptions defaults) {
        CassandraOptions options = defaults;
        String consistency = parameters.get("consistency");
        if (consistency != null) options = options.withConsistency(consistency(consistency));
        String skew = parameters.get("skew");
        if (skew != null) options = options.withSkew(duration("skew", skew));
        String timeout = parameters.get("timeout");
        if (timeout != null) options = options.withRequestTimeout(duration("timeout", timeout));
        if (options.consistency() == Consistency.LOCAL && !parameters.containsKey("dc"))
            throw wrong("consistency=local needs the data center too: dc=…");
        return options;
    }

    private static Consistency consistency(String value) {
        return switch (value) {
            case "global" -> Consistency.GLOBAL;
            case "local" -> Consistency.LOCAL;
            default -> throw wrong("consistency is global or local, not '" + value + "'");
        };
    }

    private static Duration duration(String name, String value) {
        Matcher duration = DURATION.matcher(value);
        if (!duration.matches()) throw wrong(name + " is a time such as 10s or 500ms, not '" + value + "'");
        long number = Long.parseLong(duration.group(1));
        return switch (duration.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException(
                "The URL of the Cassandra store cannot be used: " + why + ". It looks like " + FORM + ".");
    }
}
