package dev.semel.broker.webhook.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The URL of an endpoint, read strictly: what one reader takes for a name and another for an address is refused.
 *
 * @param host without the brackets of an IPv6 address
 * @param target path and query, as it stands in a request
 */
public record EndpointUrl(boolean secure, String host, int port, String target, String text) {
    private static final int LONGEST = 2000;
    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern ADDRESS = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    private static final Pattern ENDS_IN_A_NUMBER = Pattern.compile("(.*\\.)?([0-9]+|0[xX][0-9a-fA-F]*)\\.?");

    /** @throws IllegalArgumentException when webhooks cannot be sent there; the message says why */
    public static EndpointUrl parse(String text, boolean plainAllowed) {
        if (text.length() > LONGEST) throw refused("it has more than " + LONGEST + " characters");
        URI uri = uri(text);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !scheme.equals("http")) throw refused("it does not begin with https://");
        if (scheme.equals("http") && !plainAllowed)
            throw refused("it is not https (a relay whose URL has http=true may send to http)");
        if (uri.getRawUserInfo() != null || authority(uri).contains("@"))
            throw refused("it has a user name or password; webhooks are told apart by their signature");
        if (uri.getRawFragment() != null) throw refused("what follows # is never sent");
        String host = host(uri);
        int port = uri.getPort() < 0 ? (scheme.equals("https") ? 443 : 80) : uri.getPort();
        if (port < 1 || port > 65_535) throw refused("it has no port from 1 to 65535");
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String target = uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
        return new EndpointUrl(scheme.equals("https"), host, port, target, text);
    }

    private static URI uri(String text) {
        try {
            if (!text.chars().allMatch(it -> it > ' ' && it < 0x7f))
                throw refused("it has characters that must be written with % or, in a host name, as xn--");
            return new URI(text);
        } catch (URISyntaxException e) {
            throw refused("it is no URL");
        }
    }

    private static String authority(URI uri) {
        return uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
    }

    /** Some read {@code 0x7f.1} and 2130706433 as 127.0.0.1: what ends in a number is an address of four decimal ones, or refused. */
    private static String host(URI uri) {
        @Nullable String host = uri.getHost();
        if (host == null || host.isEmpty()) throw refused("it has no host, or one in an unusual spelling");
        if (host.startsWith("[")) {
            if (host.contains("%")) throw refused("an address with a zone is not of the internet");
            return host.substring(1, host.length() - 1);
        }
        if (ENDS_IN_A_NUMBER.matcher(host).matches() && !ADDRESS.matcher(host).matches())
            throw refused("its host is an address in an unusual spelling");
        return host;
    }

    private static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("Webhooks cannot be sent to this URL: " + why + ".");
    }

    /** As the header says it. */
    String hostHeader() {
        String name = host.contains(":") ? "[" + host + "]" : host;
        return port == (secure ? 443 : 80) ? name : name + ":" + port;
    }

    /** Without query: that may hold secrets. */
    @Override
    public String toString() {
        return text.replaceAll("\\?.*", "?…");
    }
}
