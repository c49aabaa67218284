package dev.semel.store.dynamodb;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What {@code dynamodb://region/table?…} says. What it refuses it never repeats, for that may be a secret. */
record DynamoDbUrl(String region, String table, @Nullable URI endpoint, DynamoDbOptions options) {
    private static final Pattern URL = Pattern.compile("dynamodb://([^/?]*)/([^?]*)(?:\\?(.*))?");
    private static final Pattern REGION = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
    private static final Pattern TABLE = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");
    private static final Pattern SECRET = Pattern.compile("(?i).*(access|secret|token|password|credential|user).*");
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m)");

    /** @param defaults what counts where the URL says nothing */
    static DynamoDbUrl parse(String url, DynamoDbOptions defaults) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) throw wrong("it is not of that form");
        if (parts.group(1).contains("@")) throw credentials();
        if (!REGION.matcher(parts.group(1)).matches()) throw wrong("its region is not the name of one");
        if (!TABLE.matcher(parts.group(2)).matches())
            throw wrong("the name of a table has 3 to 255 letters, digits, '_', '-' or '.'");
        DynamoDbUrl plain = new DynamoDbUrl(parts.group(1), parts.group(2), null, defaults);
        if (parts.group(3) == null || parts.group(3).isEmpty()) return plain;
        for (String parameter : parts.group(3).split("&", -1)) plain = plain.with(parameter);
        return plain;
    }

    private DynamoDbUrl with(String parameter) {
        int equals = parameter.indexOf('=');
        String name = equals < 0 ? parameter : parameter.substring(0, equals);
        String value = decoded(equals < 0 ? "" : parameter.substring(equals + 1));
        return switch (name) {
            case "endpoint" -> new DynamoDbUrl(region, table, endpoint(value), options);
            case "create" -> with(options.withCreateTable(yesOrNo(name, value)));
            case "accept-loss" -> with(options.withAcceptLoss(yesOrNo(name, value)));
            case "strip" -> with(options.withStrip(yesOrNo(name, value)));
            case "skew" -> with(options.withSkew(time(value)));
            case "sweep" -> with(options.withSweepUnits(value.equals("off") ? 0 : number(name, value)));
            case "connections" -> with(options.withConnections(number(name, value)));
            default -> {
                if (SECRET.matcher(name).matches()) throw credentials();
                throw wrong("its parameters are endpoint, create, skew, sweep, strip, connections and accept-loss");
            }
        };
    }

    private DynamoDbUrl with(DynamoDbOptions changed) {
        return new DynamoDbUrl(region, table, endpoint, changed);
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw wrong("there is a % in it that stands for nothing");
        }
    }

    private static URI endpoint(String value) {
        URI uri = uri(value);
        if (uri.getUserInfo() != null) throw credentials();
        if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) return uri;
        throw noEndpoint();
    }

    private static URI uri(String value) {
        try {
            return URI.create(value);
        } catch (IllegalArgumentException e) {
            throw noEndpoint();
        }
    }

    private static IllegalArgumentException noEndpoint() {
        return wrong("its endpoint must begin with http:// or https:// and name a host");
    }

    private static boolean yesOrNo(String name, String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(name + " is true or false");
        };
    }

    private static int number(String name, String value) {
        try {
            int number = Integer.parseInt(value);
            if (number > 0) return number;
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw wrong(name + " must be a whole number greater than 0" + (name.equals("sweep") ? ", or off" : ""));
    }

    private static Duration time(String value) {
        Matcher time = TIME.matcher(value);
        if (!time.matches()) throw wrong("skew must be a time such as 10s or 500ms");
        long count = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofSeconds(count);
        };
    }

    private static IllegalArgumentException credentials() {
        return new IllegalArgumentException(
                "Credentials do not belong in a store URL, where logs and process lists show them. DynamoDB's are"
                        + " found as the AWS SDK finds them: environment, profile, web identity, container or instance"
                        + " role.");
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("The store URL cannot be used: " + why
                + ". It looks like dynamodb://eu-central-1/semel-keys?create=true.");
    }
}
