package dev.semel.gateway.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code upstream: { url: …, connect-timeout: …, timeout: …, trust: …, verify-host: … }}. */
final class UpstreamReader {
    private static final Set<String> NAMES = Set.of("url", "connect-timeout", "timeout", "trust", "verify-host");

    private static final UpstreamSettings NO_URL = new UpstreamSettings(
            List.of(), UpstreamSettings.DEFAULT_CONNECT_TIMEOUT, UpstreamSettings.DEFAULT_TIMEOUT, null, true);

    private UpstreamReader() {}

    /** @param otherwise what holds where the section names nothing; null for the defaults, and no url */
    static @Nullable UpstreamSettings read(YamlValue value, @Nullable UpstreamSettings otherwise) {
        Map<String, YamlValue> entries = value.map("upstream", NAMES, Map.of());
        UpstreamSettings usual = otherwise == null ? NO_URL : otherwise;
        YamlValue url = entries.get("url");
        List<URI> urls = url == null ? usual.urls() : urls(url);
        if (url == null && urls.isEmpty()) value.wrong("an upstream needs a url");
        YamlValue trustValue = entries.get("trust");
        Path trust = trustValue == null ? usual.trust() : PemFile.named(trustValue);
        YamlValue verify = entries.get("verify-host");
        boolean verifyHost = verify == null ? usual.verifyHost() : verify.as(UpstreamReader::yesOrNo, true);
        Duration connect = duration(entries.get("connect-timeout"), usual.connectTimeout());
        Duration timeout = duration(entries.get("timeout"), usual.timeout());
        return urls.isEmpty() ? null : new UpstreamSettings(urls, connect, timeout, trust, verifyHost);
    }

    private static List<URI> urls(YamlValue url) {
        List<URI> urls = new ArrayList<>();
        List<YamlValue> values = url.isList() ? url.list("url") : List.of(url);
        if (values.isEmpty()) url.wrong("the list of urls is empty");
        for (YamlValue value : values) {
            String text = value.text();
            if (text == null) continue;
            try {
                urls.add(UpstreamSettings.url(text));
            } catch (IllegalArgumentException e) {
                value.wrong(String.valueOf(e.getMessage()));
            }
        }
        return urls;
    }

    private static Duration duration(@Nullable YamlValue value, Duration otherwise) {
        return value == null ? otherwise : value.as(Quantities::positive, otherwise);
    }

    private static boolean yesOrNo(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is neither true nor false");
        };
    }
}
