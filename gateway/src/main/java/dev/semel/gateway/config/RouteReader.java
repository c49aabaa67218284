package dev.semel.gateway.config;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.key.Guarantee;
import dev.semel.http.HeaderRules;
import dev.semel.http.KeyMode;
import dev.semel.http.KeyRule;
import dev.semel.http.KeySource;
import dev.semel.http.OrderRule;
import dev.semel.http.ProbeRule;
import dev.semel.http.RequestFingerprint;
import dev.semel.http.RoutePattern;
import dev.semel.http.RoutePolicy;
import dev.semel.http.StatusRules;
import dev.semel.http.VersionSource;
import dev.semel.http.key.KeyAge;
import dev.semel.http.key.KeySyntax;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads one entry of {@code routes}. */
final class RouteReader {
    private static final Set<String> NAMES = Set.of(
            "match",
            "exact-path",
            "key",
            "key-from",
            "key-syntax",
            "max-key-age",
            "guarantee",
            "in-flight",
            "lease",
            "retention",
            "tombstone",
            "statuses",
            "probe",
            "order",
            "fingerprint",
            "limits",
            "upstream",
            "store-headers");

    private final Map<String, YamlValue> entries;

    private RouteReader(Map<String, YamlValue> entries) {
        this.entries = entries;
    }

    /** @param gateway whose settings the route's own upstream has where it names no others; null when there is none */
    static @Nullable RouteSettings read(YamlValue value, @Nullable UpstreamSettings gateway) {
        RouteReader reader = new RouteReader(value.map("a route", NAMES, Map.of()));
        YamlValue match = reader.entries.get("match");
        if (match == null) {
            if (value.isMap()) value.wrong("a route needs 'match', such as POST /v1/charges");
            return null;
        }
        RoutePattern parsed = match.orNull(RoutePattern::parse);
        boolean exact = reader.value("exact-path", ConfigReader::yesOrNo, false);
        RoutePattern pattern = exact && parsed != null ? parsed.exact() : parsed;
        RoutePolicy policy = reader.policy();
        YamlValue upstream = reader.entries.get("upstream");
        UpstreamSettings own = upstream == null ? null : UpstreamReader.read(upstream, gateway);
        return pattern == null ? null : new RouteSettings(pattern, policy, own);
    }

    private RoutePolicy policy() {
        RoutePolicy otherwise = RoutePolicy.DEFAULT;
        YamlValue limitsValue = entries.get("limits");
        Map<String, YamlValue> limits =
                limitsValue == null ? Map.of() : limitsValue.map("limits", Set.of("request", "response"), Map.of());
        return new RoutePolicy(
                value("key", RouteReader::keyMode, otherwise.key()),
                keys(),
                claims(),
                statuses(),
                fingerprint(),
                headers(),
                probe(),
                order(),
                bytes(limits.get("request"), otherwise.requestLimit()),
                bytes(limits.get("response"), otherwise.responseLimit()));
    }

    private <T> T value(String name, Function<String, T> parser, T otherwise) {
        YamlValue value = entries.get(name);
        return value == null ? otherwise : value.as(parser, otherwise);
    }

    private static KeyMode keyMode(String text) {
        return switch (text) {
            case "required" -> KeyMode.REQUIRED;
            case "optional" -> KeyMode.OPTIONAL;
            case "off", "false" -> KeyMode.OFF;
            default -> throw new IllegalArgumentException("'" + text + "' is none of required, optional and off");
        };
    }

    private KeyRule keys() {
        YamlValue age = entries.get("max-key-age");
        return new KeyRule(
                value("key-from", KeySource::parse, KeySource.DEFAULT),
                syntax(),
                age == null ? null : age.orNull(text -> new KeyAge(Quantities.positive(text))));
    }

    private @Nullable KeySyntax syntax() {
        YamlValue value = entries.get("key-syntax");
        if (value == null) return null;
        if (!value.isMap()) return value.orNull(RouteReader::syntax);
        Map<String, YamlValue> form = value.map("key-syntax", Set.of("pattern", "min", "max"), Map.of());
        YamlValue pattern = form.get("pattern");
        String regex = pattern == null ? null : pattern.text();
        try {
            return KeySyntax.form(regex, length(form.get("min"), 1), length(form.get("max"), KeySyntax.MAX_LENGTH));
        } catch (IllegalArgumentException e) {
            value.wrong(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static KeySyntax syntax(String text) {
        if (text.equals("uuid")) return KeySyntax.uuid();
        throw new IllegalArgumentException(
                "'" + text + "' is neither uuid nor a form such as { pattern: \"[a-z0-9-]+\", min: 16, max: 64 }");
    }

    private static int length(@Nullable YamlValue value, int otherwise) {
        return value == null ? otherwise : value.as(RouteReader::length, otherwise);
    }

    private static int length(String text) {
        if (text.matches("[0-9]{1,3}")) return Integer.parseInt(text);
        throw new IllegalArgumentException("'" + text + "' is not a number of characters");
    }

    private @Nullable ProbeRule probe() {
        YamlValue value = entries.get("probe");
        if (value == null) return null;
        YamlValue guarantee = entries.get("guarantee");
        if (guarantee != null && "at-least-once".equals(guarantee.text()))
            value.wrong("a route that is at-least-once runs again and is never in doubt, so nothing is to be probed");
        return ProbeReader.read(value);
    }

    private @Nullable OrderRule order() {
        YamlValue value = entries.get("order");
        if (value == null) return null;
        Map<String, YamlValue> order = value.map("order", Set.of("version", "keep", "per"), Map.of());
        YamlValue version = order.get("version");
        if (version == null) {
            if (value.isMap()) value.wrong("order needs 'version', such as header:If-Match or body:/version");
            return null;
        }
        VersionSource source = version.orNull(VersionSource::parse);
        YamlValue keep = order.get("keep");
        Duration kept = keep == null ? OrderRule.DEFAULT_KEEP : keep.as(Quantities::positive, OrderRule.DEFAULT_KEEP);
        YamlValue per = order.get("per");
        boolean perTenant = per != null && per.as(RouteReader::isPerTenant, false);
        return source == null ? null : new OrderRule(source, kept, perTenant);
    }

    private static boolean isPerTenant(String text) {
        return switch (text) {
            case "resource" -> false;
            case "tenant" -> true;
            default ->
                throw new IllegalArgumentException("an order is per 'resource' or per 'tenant', not '" + text + "'");
        };
    }

    private ClaimPolicy claims() {
        ClaimPolicy otherwise = ClaimPolicy.DEFAULT;
        return new ClaimPolicy(
                value("guarantee", RouteReader::guarantee, otherwise.guarantee()),
                value("lease", Quantities::positive, otherwise.lease()),
                value("retention", Quantities::positive, otherwise.retention()),
                value("tombstone", Quantities::duration, otherwise.tombstone()),
                value("in-flight", RouteReader::inFlight, otherwise.waitFor()),
                null);
    }

    private static Guarantee guarantee(String text) {
        return switch (text) {
            case "at-most-once" -> Guarantee.AT_MOST_ONCE;
            case "at-least-once" -> Guarantee.AT_LEAST_ONCE;
            case "joined" ->
                throw new IllegalArgumentException(
                        "'joined' needs the effect in the same database transaction as the key; a gateway cannot"
                                + " promise it");
            default -> throw new IllegalArgumentException("'" + text + "' is neither at-most-once nor at-least-once");
        };
    }

    private static Duration inFlight(String text) {
        if (text.equals("reject")) return Duration.ZERO;
        if (text.startsWith("wait "))
            return Quantities.positive(text.substring(5).strip());
        throw new IllegalArgumentException(
                "'" + text + "' is neither 'reject' nor 'wait' and a duration, such as 'wait 5s'");
    }

    private StatusRules statuses() {
        YamlValue value = entries.get("statuses");
        if (value == null) return StatusRules.DEFAULT;
        if (!value.isMap()) return value.as(StatusRules::named, StatusRules.DEFAULT);
        StatusRules.Builder rules = StatusRules.custom();
        value.map("statuses", Set.of("store", "release", "doubt"), Map.of()).forEach((name, list) -> {
            for (YamlValue status : list.list("statuses"))
                status.orNull(text -> switch (name) {
                    case "store" -> rules.store(text);
                    case "release" -> rules.release(text);
                    default -> rules.doubt(text);
                });
        });
        return rules.build();
    }

    private RequestFingerprint fingerprint() {
        YamlValue value = entries.get("fingerprint");
        if (value == null) return RequestFingerprint.DEFAULT;
        YamlValue exclude =
                value.map("fingerprint", Set.of("exclude"), Map.of()).get("exclude");
        if (exclude == null) return RequestFingerprint.DEFAULT;
        try {
            return RequestFingerprint.excluding(texts(exclude, "exclude"));
        } catch (IllegalArgumentException e) {
            exclude.wrong(String.valueOf(e.getMessage()));
            return RequestFingerprint.DEFAULT;
        }
    }

    private HeaderRules headers() {
        YamlValue value = entries.get("store-headers");
        if (value == null) return HeaderRules.DEFAULT;
        try {
            return HeaderRules.allowing(texts(value, "store-headers"));
        } catch (IllegalArgumentException e) {
            value.wrong(String.valueOf(e.getMessage()));
            return HeaderRules.DEFAULT;
        }
    }

    private static List<String> texts(YamlValue list, String what) {
        List<String> texts = new ArrayList<>();
        for (YamlValue item : list.list(what)) {
            String text = item.text();
            if (text != null) texts.add(text);
        }
        return texts;
    }

    private static long bytes(@Nullable YamlValue value, long otherwise) {
        return value == null ? otherwise : value.as(Quantities::bytes, otherwise);
    }
}
