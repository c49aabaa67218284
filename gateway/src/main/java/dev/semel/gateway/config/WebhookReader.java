package dev.semel.gateway.config;

import dev.semel.gateway.config.WebhookSettings.Scheme;
import dev.semel.http.DurationText;
import dev.semel.http.json.JsonExtractor;
import dev.semel.webhook.SigningKey;
import dev.semel.webhook.WebhookScheme;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code webhooks}. No message repeats a secret. */
final class WebhookReader {
    private static final Set<String> NAMES = Set.of("path", "scheme", "secrets", "tolerance", "deliver", "remember");

    /** What a topic of a message may hold too, and no path that the gateway answers itself. */
    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+");

    private static final int LONGEST_PATH = 200;

    private final YamlValue value;
    private final Map<String, YamlValue> entries;

    private WebhookReader(YamlValue value) {
        this.value = value;
        this.entries = value.map("a webhook", NAMES, Map.of());
    }

    static WebhooksSettings read(@Nullable YamlValue value) {
        if (value == null) return WebhooksSettings.NONE;
        List<WebhookSettings> all = new ArrayList<>();
        Map<String, Integer> lines = new HashMap<>();
        for (YamlValue item : value.list("webhooks")) {
            WebhookReader reader = new WebhookReader(item);
            WebhookSettings webhook = reader.webhook();
            if (webhook == null) continue;
            Integer before = lines.putIfAbsent(webhook.path().toLowerCase(Locale.ROOT), item.line());
            if (before != null) item.wrong("webhooks come in at " + webhook.path() + " already, by line " + before);
            all.add(webhook);
        }
        return new WebhooksSettings(all, value.problem("webhooks"));
    }

    private @Nullable WebhookSettings webhook() {
        if (!value.isMap()) return null;
        YamlValue pathValue = required("path", "where their sender posts them, such as /hooks/stripe");
        String path = pathValue == null ? null : pathValue.orNull(WebhookReader::path);
        YamlValue schemeValue = required("scheme", "standard, stripe or github");
        Scheme scheme = schemeValue == null ? null : schemeValue.orNull(WebhookReader::scheme);
        YamlValue secretsValue = required("secrets", "a list of those that the sender may sign with");
        List<String> secrets = secretsValue == null || scheme == null ? List.of() : secrets(secretsValue, scheme);
        YamlValue deliver = required("deliver", "such as { path: /internal/stripe }");
        Map<String, YamlValue> delivery =
                deliver == null ? Map.of() : deliver.map("deliver", Set.of("path", "key"), Map.of());
        YamlValue toValue = delivery.get("path");
        if (deliver != null && deliver.isMap() && toValue == null)
            deliver.wrong("deliver needs 'path', where the upstream takes them, such as /internal/stripe");
        String deliverTo = toValue == null ? null : toValue.orNull(WebhookReader::path);
        YamlValue key = delivery.get("key");
        String pointer = key == null ? null : key.orNull(WebhookReader::pointer);
        Duration tolerance = scheme == null ? null : tolerance(scheme);
        Duration remember = remember(tolerance);
        return path == null || scheme == null || secrets.isEmpty() || deliverTo == null
                ? null
                : new WebhookSettings(path, scheme, secrets, tolerance, deliverTo, pointer, remember);
    }

    private @Nullable YamlValue required(String name, String what) {
        YamlValue found = entries.get(name);
        if (found == null) value.wrong("a webhook needs '" + name + "': " + what);
        return found;
    }

    private static String path(String text) {
        if (!PATH.matcher(text).matches() || text.length() > LONGEST_PATH)
            throw new IllegalArgumentException(
                    "'" + text + "' is not the path of a webhook: segments of letters, digits"
                            + " and . _ -, each after a slash, none at the end, " + LONGEST_PATH
                            + " characters at most, such as"
                            + " /hooks/stripe");
        return text;
    }

    private static Scheme scheme(String text) {
        return switch (text) {
            case "standard" -> Scheme.STANDARD;
            case "stripe" -> Scheme.STRIPE;
            case "github" -> Scheme.GITHUB;
            default -> throw new IllegalArgumentException("'" + text + "' is none of standard, stripe and github");
        };
    }

    private static List<String> secrets(YamlValue list, Scheme scheme) {
        List<String> secrets = new ArrayList<>();
        List<YamlValue> items = list.list("secrets");
        if (items.isEmpty() && list.isList()) list.wrong("there is no secret here, so no webhook could be verified");
        for (YamlValue item : items) {
            String secret = item.orNull(text -> secret(text, scheme));
            if (secret != null) secrets.add(secret);
        }
        return secrets.size() == items.size() ? secrets : List.of();
    }

    private static String secret(String text, Scheme scheme) {
        if (text.isBlank()) throw new IllegalArgumentException("this secret is empty: anybody could sign with it");
        // Made here and now, so that a bad one is told of with its line.
        if (scheme == Scheme.STANDARD)
            new WebhookScheme.Standard(List.of(SigningKey.parse(text)), WebhookScheme.TOLERANCE);
        return text;
    }

    private @Nullable Duration tolerance(Scheme scheme) {
        YamlValue given = entries.get("tolerance");
        if (scheme != Scheme.GITHUB)
            return given == null ? WebhookScheme.TOLERANCE : given.as(Quantities::positive, WebhookScheme.TOLERANCE);
        if (given != null)
            given.wrong(
                    "'tolerance' has no effect, for what GitHub signs holds no time; remove it, and see to 'remember'");
        return null;
    }

    /** A signature counts from a tolerance before its time to a tolerance after it: for so long it can be sent again. */
    private Duration remember(@Nullable Duration tolerance) {
        YamlValue given = entries.get("remember");
        Duration remember = given == null
                ? WebhookSettings.DEFAULT_REMEMBER
                : given.as(Quantities::positive, WebhookSettings.DEFAULT_REMEMBER);
        if (tolerance != null && remember.compareTo(tolerance.multipliedBy(2)) < 0) {
            YamlValue place = given == null ? value : given;
            place.wrong("ids are forgotten after " + DurationText.of(remember) + ", and a signature counts for "
                    + DurationText.of(tolerance.multipliedBy(2)) + " in all (twice the tolerance): a webhook could be"
                    + " sent again and take effect again. Make 'remember' longer or 'tolerance' shorter");
        }
        return remember;
    }

    private static String pointer(String text) {
        JsonExtractor.of(List.of(text));
        return text;
    }
}
