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

    private UpstreamReader() {}

    /** @param otherwise what holds where the section names nothing; null for the defaults, and no url */
    static @Nullable UpstreamSettings read(YamlValue value, @Nullable UpstreamSettings otherwise) {
        Map<String, YamlValue> entries = value.map("upstream", NAMES, Map.of());
        YamlValue url = entries.get("url");
        if (url == null && otherwise == null) {
            value.wrong("an upstream needs a url");
            return null;
        }
        List<URI> urls = url == null ? otherwise.urls() : urls(url);
        YamlValue trustValue = entries.get("trust");
        Path trust = trustValue != null ? PemFile.named(trustValue) : otherwise == null ? null : otherwise.trust();
        YamlValue verify = entries.get("verify-host");
        boolean usual = otherwise == null || otherwise.verifyHost();
        boolean verifyHost = verify == null ? usual : verify.as(UpstreamReader::yesOrNo, usual);
        Duration connect = duration(
                entries.get("connect-timeout"),
                otherwise == null ? UpstreamSettings.DEFAULT_CONNECT_TIMEOUT : otherwise.connectTimeout());
        Duration timeout = duration(
                entries.get("timeout"), otherwise == null ? UpstreamSettings.DEFAULT_TIMEOUT : otherwise.timeout());
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
