package dev.semel.broker.sqs;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code sqs://region?setting=value&setting=value}. What it refuses it never repeats, for that may be a secret. */
final class SqsUrl {
    private static final Pattern URL = Pattern.compile("sqs://([^/?]*)/?(?:\\?(.*))?");
    private static final Pattern REGION = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
    private static final Pattern ACCOUNT = Pattern.compile("\\d{12}");
    private static final Pattern SECRET = Pattern.compile("(?i).*(access|secret|token|password|credential|user).*");
    private static final Pattern TIME = Pattern.compile("(\\d{1,6})(ms|s)");
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int SMALLEST_BATCH = 1024;
    private static final int LARGEST_BATCH = 1024 * 1024;
    private static final int MOST_CONNECTIONS = 10_000;

    private SqsUrl() {}

    static SqsSettings parse(String url) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) throw wrong("it is not of that form");
        if (parts.group(1).contains("@")) throw credentials();
        if (!REGION.matcher(parts.group(1)).matches()) throw wrong("its region is not the name of one");
        SqsSettings settings = SqsSettings.of(parts.group(1));
        if (parts.group(2) == null) return settings;
        for (String each : parts.group(2).split("&", -1)) settings = with(settings, each);
        return settings;
    }

    private static SqsSettings with(SqsSettings it, String parameter) {
        int equals = parameter.indexOf('=');
        String name = equals < 0 ? parameter : parameter.substring(0, equals);
        String value = decoded(equals < 0 ? "" : parameter.substring(equals + 1));
        return switch (name) {
            case "account" -> {
                if (!ACCOUNT.matcher(value).matches()) throw wrong("an account has 12 digits");
                yield new SqsSettings(
                        it.region(), value, it.endpoint(), it.callTimeout(), it.batchBytes(), it.connections());
            }
            case "endpoint" ->
                new SqsSettings(
                        it.region(),
                        it.account(),
                        endpoint(value),
                        it.callTimeout(),
                        it.batchBytes(),
                        it.connections());
            case "call-timeout" ->
                new SqsSettings(
                        it.region(), it.account(), it.endpoint(), time(value), it.batchBytes(), it.connections());
            case "batch-bytes" ->
                new SqsSettings(
                        it.region(),
                        it.account(),
                        it.endpoint(),
                        it.callTimeout(),
                        number(name, value, SMALLEST_BATCH, LARGEST_BATCH),
                        it.connections());
            case "connections" ->
                new SqsSettings(
                        it.region(),
                        it.account(),
                        it.endpoint(),
                        it.callTimeout(),
                        it.batchBytes(),
                        number(name, value, 1, MOST_CONNECTIONS));
            default -> {
                if (SECRET.matcher(name).matches()) throw credentials();
                throw wrong("its parameters are account, endpoint, call-timeout, batch-bytes and connections");
            }
        };
    }

    private static URI endpoint(String value) {
        try {
            URI uri = URI.create(value);
            if (uri.getUserInfo() != null) throw credentials();
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())))
                return uri;
        } catch (IllegalArgumentException e) {
            if (String.valueOf(e.getMessage()).startsWith("Credentials")) throw e;
        }
        throw wrong("its endpoint must begin with http:// or https:// and name a host");
    }

    private static Duration time(String value) {
        Matcher time = TIME.matcher(value);
        if (!time.matches()) throw wrong("call-timeout is a time such as 5s or 500ms");
        long count = Long.parseLong(time.group(1));
        Duration duration = time.group(2).equals("s") ? Duration.ofSeconds(count) : Duration.ofMillis(count);
        if (duration.isZero() || duration.compareTo(LONGEST) > 0)
            throw wrong("call-timeout is longer than 0, and 60s at most");
        return duration;
    }

    private static int number(String name, String value, int least, int most) {
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) return number;
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw wrong(name + " is a whole number from " + least + " to " + most);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw wrong("there is a % in it that stands for nothing");
        }
    }

    private static IllegalArgumentException credentials() {
        return new IllegalArgumentException(
                "Credentials do not belong in the URL of a broker, where logs and process lists show them. Those of SQS"
                        + " are found as the AWS SDK finds them: environment, profile, web identity, container or"
                        + " instance role.");
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("The URL of SQS cannot be used: " + why
                + ". It looks like sqs://eu-central-1 or sqs://eu-central-1?account=123456789012&call-timeout=5s.");
    }
}
