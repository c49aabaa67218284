package dev.semel.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Which headers cross, and which are stored. Immutable, for use by any thread. */
public final class HeaderRules {
    /** Of one connection only (RFC 9110 §7.6.1), and of no meaning beyond it. */
    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "keep-alive",
            "proxy-connection",
            "proxy-authenticate",
            "proxy-authentication-info",
            "proxy-authorization",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "http2-settings");

    /** Secrets of one client, or of one moment: a replay must not hand them out again. */
    private static final Set<String> SECRET = Set.of("set-cookie", "authorization", "www-authenticate");

    private static final Set<String> FORWARDED =
            Set.of("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto");

    /** Semel says these about its own keys; from an upstream that has keys of its own they would mislead. */
    private static final Set<String> OURS = Set.of("idempotent-replayed", "idempotency-expires");

    private final Set<String> allowed;

    private HeaderRules(Set<String> allowed) {
        this.allowed = allowed;
    }

    public static final HeaderRules DEFAULT = new HeaderRules(Set.of());

    /**
     * Stores these headers too, although they may be secret.
     *
     * @throws IllegalArgumentException for a name that is never stored
     */
    public static HeaderRules allowing(List<String> names) {
        Set<String> allowed = new TreeSet<>();
        for (String name : names) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (HOP_BY_HOP.contains(lower)
                    || OURS.contains(lower)
                    || lower.startsWith("semel-")
                    || lower.equals("content-length"))
                throw new IllegalArgumentException("The header " + name + " is never stored, so it cannot be allowed.");
            allowed.add(lower);
        }
        return new HeaderRules(Collections.unmodifiableSet(allowed));
    }

    /** The names of those, in lower case. */
    public Set<String> allowed() {
        return allowed;
    }

    /** What of an answer is kept for replays. */
    public Headers stored(Headers answer) {
        Predicate<String> secret = name -> SECRET.contains(name) && !allowed.contains(name);
        return forClient(answer).without(secret.or("content-length"::equals));
    }

    /** What of an answer reaches the client that caused it. */
    public Headers forClient(Headers answer) {
        return endToEnd(answer).without(OURS::contains);
    }

    /** Without what belongs to one connection, and without what is between the upstream and Semel. */
    public static Headers endToEnd(Headers headers) {
        Set<String> listed = listedInConnection(headers);
        return headers.without(name -> isOfOneHop(name, listed));
    }

    private static boolean isOfOneHop(String name, Set<String> listed) {
        return HOP_BY_HOP.contains(name) || listed.contains(name) || name.startsWith("semel-") || isTwin(name);
    }

    /** Some servers read an underscore as a dash, and so would take this for a header that only Semel may set. */
    private static boolean isTwin(String name) {
        if (name.indexOf('_') < 0) return false;
        String dashed = name.replace('_', '-');
        return dashed.startsWith("semel-")
                || dashed.equals("idempotency-key")
                || HOP_BY_HOP.contains(dashed)
                || FORWARDED.contains(dashed);
    }

    /** Never what frames, routes or names a message: that is not for its sender to strike out. */
    private static Set<String> listedInConnection(Headers headers) {
        if (headers.first("Connection") == null) return Set.of();
        Set<String> listed = new HashSet<>();
        for (String value : headers.all("Connection"))
            for (String name : value.split(",", -1)) listed.add(name.strip().toLowerCase(Locale.ROOT));
        listed.removeAll(Set.of("content-length", "host", "idempotency-key"));
        return listed;
    }

    /**
     * What of a request an application sees that runs behind a guard in the same server: all but what only Semel may say to
     * it, and what looks like that. No hop is made, so what belongs to the connection stays.
     */
    public static Headers forApplication(Headers request) {
        return request.without(name -> name.startsWith("semel-") || isTwin(name));
    }

    /**
     * What of a request goes upstream: end-to-end headers, with the way it came added. Names that begin with
     * {@code Semel-} are the gateway's own word to the upstream, so nobody else's get through.
     */
    public static Headers forUpstream(Headers request, String peer, String host, String scheme) {
        Set<String> listed = listedInConnection(request);
        List<Headers.Field> onward = new ArrayList<>(request.size() + 6);
        for (Headers.Field field : request) {
            String name = field.name().toLowerCase(Locale.ROOT);
            if (!isOfOneHop(name, listed) && !name.equals("expect") && !FORWARDED.contains(name)) onward.add(field);
        }
        String address = withoutZone(peer);
        String hop =
                "for=" + node(address) + ";host=\"" + host.replace("\\", "").replace("\"", "") + "\";proto=" + scheme;
        onward.add(appended(request, "Forwarded", hop));
        onward.add(appended(request, "X-Forwarded-For", address));
        onward.add(appended(request, "X-Forwarded-Host", host));
        onward.add(appended(request, "X-Forwarded-Proto", scheme));
        return Headers.of(onward);
    }

    /** A zone, as in fe80::1%eth0, means something on this machine only. */
    private static String withoutZone(String peer) {
        int zone = peer.indexOf('%');
        return zone < 0 ? peer : peer.substring(0, zone);
    }

    private static String node(String address) {
        return address.indexOf(':') >= 0 ? "\"[" + address + "]\"" : address;
    }

    private static Headers.Field appended(Headers request, String name, String value) {
        if (request.first(name) == null) return new Headers.Field(name, value);
        List<String> hops = new ArrayList<>(request.all(name));
        hops.removeIf(String::isBlank);
        hops.add(value);
        return new Headers.Field(name, String.join(", ", hops));
    }
}
