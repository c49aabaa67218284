package dev.semel.broker.webhook;

import dev.semel.broker.webhook.delivery.SenderSettings;
import dev.semel.broker.webhook.endpoint.SecretSeal;
import dev.semel.broker.webhook.http.AddressRange;
import dev.semel.broker.webhook.http.NameLookup;
import dev.semel.broker.webhook.tables.DeliveryTime;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/**
 * How webhooks are taken over and sent.
 *
 * @param allowed addresses that may be reached although they are not of the public internet
 * @param largest so many bytes a payload may have; a larger one is a dead letter of the outbox
 * @param patience how long the database is waited for
 * @param time that of the database; tests move one by hand
 */
public record WebhookSettings(
        SenderSettings sender,
        List<AddressRange> allowed,
        int largest,
        Duration patience,
        SecretSeal seal,
        SSLContext tls,
        NameLookup names,
        DeliveryTime time) {
    private static final String SCHEME = "webhook:";
    private static final int LARGEST = 1024 * 1024;

    public WebhookSettings {
        allowed = List.copyOf(allowed);
        if (largest < 1) throw new IllegalArgumentException("A payload has at least one byte, not " + largest + ".");
        if (patience.toMillis() < 100) throw new IllegalArgumentException("The database needs some time to answer.");
    }

    /** To the public internet by https, with the trust and the time of this machine's Java and of the database. */
    public static WebhookSettings standard() {
        return new WebhookSettings(
                SenderSettings.DEFAULT,
                List.of(),
                LARGEST,
                Duration.ofSeconds(8),
                SecretSeal.NONE,
                defaultTls(),
                NameLookup.SYSTEM,
                DeliveryTime.DATABASE);
    }

    private static SSLContext defaultTls() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("There is no TLS here.", e);
        }
    }

    /**
     * {@code webhook:?allow=10.0.0.0/8,fd00::/8&http=true&largest=65536&keep-days=7}: all of it may be left out.
     *
     * @throws IllegalArgumentException when it is another URL, or a setting is wrong
     */
    public static WebhookSettings parse(String url) {
        String bare = url.startsWith("webhook://") ? SCHEME + url.substring("webhook://".length()) : url;
        int question = bare.indexOf('?');
        if (!(question < 0 ? bare : bare.substring(0, question)).equals(SCHEME))
            throw new IllegalArgumentException(
                    "The broker of webhooks is 'webhook:', where to send to is kept in the outbox's database:"
                            + " see 'semel webhooks endpoints add'.");
        WebhookSettings settings = standard();
        if (question < 0) return settings;
        for (String each : bare.substring(question + 1).split("&", -1)) {
            int equals = each.indexOf('=');
            String name = equals < 0 ? each : each.substring(0, equals);
            String value = equals < 0 ? "" : URLDecoder.decode(each.substring(equals + 1), StandardCharsets.UTF_8);
            settings = settings.with(name, value);
        }
        return settings;
    }

    private WebhookSettings with(String name, String value) {
        return switch (name) {
            case "allow" ->
                allowing(Stream.of(value.split(",", -1))
                        .map(it -> AddressRange.parse(it.strip()))
                        .toList());
            case "http" -> {
                if (!value.equals("true") && !value.equals("false"))
                    throw new IllegalArgumentException("http is true or false, not '" + value + "'.");
                yield with(sender.allowingPlain(value.equals("true")));
            }
            case "largest" -> withLargest(number(name, value));
            case "keep-days" -> {
                Duration keep = Duration.ofDays(number(name, value));
                Duration dead = sender.keepDead().compareTo(keep) > 0 ? sender.keepDead() : keep;
                yield with(sender.keeping(keep, dead));
            }
            default ->
                throw new IllegalArgumentException("There is no setting '" + name
                        + "' of webhooks; there are allow, http, largest and keep-days.");
        };
    }

    private static int number(String name, String value) {
        if (value.matches("[1-9][0-9]{0,8}")) return Integer.parseInt(value);
        throw new IllegalArgumentException(name + " is a number from 1 on, not '" + value + "'.");
    }

    public WebhookSettings with(SenderSettings sender) {
        return new WebhookSettings(sender, allowed, largest, patience, seal, tls, names, time);
    }

    public WebhookSettings allowing(List<AddressRange> allowed) {
        return new WebhookSettings(sender, allowed, largest, patience, seal, tls, names, time);
    }

    public WebhookSettings withLargest(int largest) {
        return new WebhookSettings(sender, allowed, largest, patience, seal, tls, names, time);
    }

    public WebhookSettings withPatience(Duration patience) {
        return new WebhookSettings(sender, allowed, largest, patience, seal, tls, names, time);
    }

    public WebhookSettings with(SecretSeal seal) {
        return new WebhookSettings(sender, allowed, largest, patience, seal, tls, names, time);
    }

    public WebhookSettings with(SSLContext tls) {
        return new WebhookSettings(sender, allowed, largest, patience, seal, tls, names, time);
    }

    public WebhookSettings with(NameLookup names) {
        return new WebhookSettings(sender, allowed, largest, patience, seal, tls, names, time);
    }

    public WebhookSettings at(DeliveryTime time) {
        return new WebhookSettings(sender, allowed, largest, patience, seal, tls, names, time);
    }
}
