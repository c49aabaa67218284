package dev.semel.broker.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.Address;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code amqp://user:password@host:port,host:port/vhost?setting=value&setting=value}. No message about a wrong one repeats what
 * stands before the question mark: there may be a password in it.
 */
final class RabbitMqUrl {
    private static final Pattern FORM =
            Pattern.compile("(amqps?)://(?:([^/?]*)@)?([^@/?]+)(?:/([^/?@]*))?(?:\\?(.*))?");
    private static final Pattern TIME = Pattern.compile("([0-9]{1,6})(ms|s)");
    private static final int LONGEST_NAME = 255;
    private static final String FORM_SAID =
            "The URL of a RabbitMQ is amqp://user:password@host:port/virtual-host?setting=value, or amqps://…;"
                    + " characters such as @ / : ? and % in a user, password or virtual host are written as %40 %2F %3A"
                    + " %3F %25.";

    private RabbitMqUrl() {}

    static RabbitMqSettings parse(String url) {
        Matcher form = FORM.matcher(url);
        if (!form.matches()) throw new IllegalArgumentException(FORM_SAID);
        String login = form.group(2) == null ? "guest:guest" : form.group(2);
        int colon = login.indexOf(':');
        Map<String, String> settings = settings(form.group(5));
        RabbitMqSettings parsed = new RabbitMqSettings(
                addresses(form.group(3)),
                form.group(1).equals("amqps"),
                decoded(colon < 0 ? login : login.substring(0, colon)),
                colon < 0 ? "" : decoded(login.substring(colon + 1)),
                form.group(4) == null || form.group(4).isEmpty() ? "/" : decoded(form.group(4)),
                name("exchange", settings),
                time("connect-timeout", "2s", settings),
                time("publish-timeout", "5s", settings),
                heartbeat(settings),
                number("max-message-size", settings));
        if (!settings.isEmpty())
            throw new IllegalArgumentException(
                    "There is no setting '" + settings.keySet().iterator().next()
                            + "' in the URL of a RabbitMQ. There are exchange, connect-timeout, publish-timeout,"
                            + " heartbeat and max-message-size.");
        return parsed;
    }

    private static List<Address> addresses(String hosts) {
        try {
            List<Address> addresses = List.of(Address.parseAddresses(hosts));
            for (Address each : addresses)
                if (each.getHost().isBlank() || each.getPort() == 0 || each.getPort() > 65_535)
                    throw new IllegalArgumentException(FORM_SAID);
            return addresses;
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(FORM_SAID);
        }
    }

    private static Map<String, String> settings(String query) {
        Map<String, String> settings = new TreeMap<>();
        if (query == null) return settings;
        for (String each : query.split("&", -1)) {
            int equals = each.indexOf('=');
            if (equals < 1)
                throw new IllegalArgumentException("After the question mark of a RabbitMQ's URL stand settings, as in"
                        + " ?exchange=orders&publish-timeout=5s.");
            settings.put(
                    URLDecoder.decode(each.substring(0, equals), UTF_8),
                    URLDecoder.decode(each.substring(equals + 1), UTF_8));
        }
        return settings;
    }

    private static String name(String setting, Map<String, String> settings) {
        String name = taken(setting, "", settings);
        if (name.getBytes(UTF_8).length > LONGEST_NAME)
            throw new IllegalArgumentException("The " + setting + " has at most " + LONGEST_NAME + " bytes.");
        return name;
    }

    private static Duration time(String setting, String otherwise, Map<String, String> settings) {
        String said = taken(setting, otherwise, settings);
        Matcher time = TIME.matcher(said);
        if (!time.matches() || Long.parseLong(time.group(1)) == 0)
            throw new IllegalArgumentException(
                    "The setting " + setting + " is a time such as 5s or 500ms, not '" + said + "'.");
        long number = Long.parseLong(time.group(1));
        return time.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMillis(number);
    }

    private static Duration heartbeat(Map<String, String> settings) {
        Duration time = time("heartbeat", "10s", settings);
        if (time.toMillisPart() != 0 || time.toSeconds() > 3600)
            throw new IllegalArgumentException("The setting heartbeat has whole seconds, 3600 at most.");
        return time;
    }

    private static int number(String setting, Map<String, String> settings) {
        String said = taken(setting, Integer.toString(Integer.MAX_VALUE), settings);
        if (!said.matches("[1-9][0-9]{0,8}|" + Integer.MAX_VALUE))
            throw new IllegalArgumentException("The setting " + setting + " is a number of bytes, not '" + said + "'.");
        return Integer.parseInt(said);
    }

    private static String taken(String setting, String otherwise, Map<String, String> settings) {
        String said = settings.remove(setting);
        return said == null ? otherwise : said;
    }

    /** A plus sign is one. */
    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(FORM_SAID);
        }
    }
}
