package dev.semel.broker.nats;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code nats://user:password@host:port,host:port?setting=value&setting=value}, or {@code tls://…}. What it refuses it never repeats,
 * for that may be a secret.
 */
final class NatsUrl {
    private static final Pattern URL = Pattern.compile("(nats|tls)://(?:([^@/?]*)@)?([^@/?]+)/?(?:\\?(.*))?");
    private static final Pattern SERVER = Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::(\\d{1,5}))?");
    private static final Pattern TIME = Pattern.compile("(\\d{1,6})(ms|s)");
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private NatsUrl() {}

    static NatsSettings parse(String url) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) throw wrong("it is not of that form");
        List<String> servers = new ArrayList<>();
        for (String each : parts.group(3).split(",", -1)) servers.add(parts.group(1) + "://" + server(each));
        String user = null;
        String secret = null;
        if (parts.group(2) != null) {
            int colon = parts.group(2).indexOf(':');
            user = colon < 0 ? null : decoded(parts.group(2).substring(0, colon));
            secret = decoded(parts.group(2).substring(colon + 1));
        }
        NatsSettings settings = new NatsSettings(servers, user, secret, null, NatsSettings.CONNECT, NatsSettings.ACK);
        return parts.group(4) == null ? settings : with(settings, parts.group(4));
    }

    private static String server(String text) {
        Matcher server = SERVER.matcher(text);
        if (!server.matches()) throw wrong("a server is HOST or HOST:PORT");
        int port = server.group(2) == null ? 4222 : Integer.parseInt(server.group(2));
        if (port < 1 || port > 65_535) throw wrong("a port is a number from 1 to 65535");
        return server.group(1) + ":" + port;
    }

    private static NatsSettings with(NatsSettings settings, String query) {
        NatsSettings with = settings;
        for (String each : query.split("&", -1)) {
            int equals = each.indexOf('=');
            String name = equals < 0 ? each : each.substring(0, equals);
            with = with(with, name, decoded(equals < 0 ? "" : each.substring(equals + 1)));
        }
        return with;
    }

    private static NatsSettings with(NatsSettings it, String name, String value) {
        return switch (name) {
            case "credentials" -> with(it, file(value), it.connectTimeout(), it.ackTimeout());
            case "connect-timeout" -> with(it, it.credentials(), time(name, value), it.ackTimeout());
            case "ack-timeout" -> with(it, it.credentials(), it.connectTimeout(), time(name, value));
            default -> throw wrong("its parameters are credentials, connect-timeout and ack-timeout");
        };
    }

    private static NatsSettings with(NatsSettings it, @Nullable Path credentials, Duration connect, Duration ack) {
        return new NatsSettings(it.servers(), it.user(), it.secret(), credentials, connect, ack);
    }

    private static Path file(String value) {
        try {
            Path file = Path.of(value);
            if (Files.isReadable(file) && Files.isRegularFile(file)) return file;
        } catch (InvalidPathException e) {
            // Said below.
        }
        throw wrong("its file with credentials cannot be read");
    }

    private static Duration time(String name, String value) {
        Matcher time = TIME.matcher(value);
        if (!time.matches()) throw wrong(name + " is a time such as 2s or 500ms");
        long count = Long.parseLong(time.group(1));
        Duration duration = time.group(2).equals("s") ? Duration.ofSeconds(count) : Duration.ofMillis(count);
        if (duration.isZero() || duration.compareTo(LONGEST) > 0)
            throw wrong(name + " is longer than 0, and 60s at most");
        return duration;
    }

    private static String decoded(String text) {
        try {
            // A plus is a plus: it is common in passwords.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw wrong("there is a % in it that stands for nothing");
        }
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("The URL of NATS cannot be used: " + why
                + ". It looks like nats://host:4222,host:4222 or tls://user:password@host:4222?ack-timeout=4s.");
    }
}
