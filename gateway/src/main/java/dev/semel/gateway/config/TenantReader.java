package dev.semel.gateway.config;

import dev.semel.core.claim.Quotas;
import dev.semel.http.IdempotencyKey;
import dev.semel.http.tenant.HeaderTenant;
import dev.semel.http.tenant.JwksPlace;
import dev.semel.http.tenant.TenantMap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code tenant: { header: …, hash-key: … }}, {@code tenant: { header: …, map: … }} or {@code tenant: { jwt-claim: …, jwks: …, issuer: …, audience: … }},
 * either with a {@code quota}.
 */
final class TenantReader {
    private static final Set<String> NAMES =
            Set.of("header", "hash-key", "map", "jwt-claim", "jwks", "issuer", "audience", "quota");

    /** RFC 9110 §5.6.2. */
    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private TenantReader() {}

    /** Null when there is no such section, or, reported, a wrong one. */
    static @Nullable TenantSettings read(@Nullable YamlValue value) {
        if (value == null) return null;
        Map<String, YamlValue> entries = value.map("tenant", NAMES, Map.of());
        Quotas quotas = QuotaReader.read(entries.get("quota"));
        YamlValue header = entries.get("header");
        YamlValue claim = entries.get("jwt-claim");
        if (header != null && claim != null) value.wrong("a tenant has either 'header' or 'jwt-claim', not both");
        else if (header != null) return header(header, entries, quotas);
        else if (claim != null) return jwt(value, claim, entries, quotas);
        else if (value.isMap()) value.wrong("a tenant needs 'header', or 'jwt-claim' and 'jwks'");
        return null;
    }

    private static @Nullable TenantSettings header(YamlValue header, Map<String, YamlValue> entries, Quotas quotas) {
        for (String name : new String[] {"jwks", "issuer", "audience"}) refuse(entries.get(name), name, "jwt-claim");
        String name = header.orNull(TenantReader::headerName);
        YamlValue map = entries.get("map");
        if (map != null) {
            refuse(entries.get("hash-key"), "hash-key", "a header without 'map'");
            Path file = map.orNull(TenantReader::map);
            return name == null || file == null ? null : new TenantSettings.Mapped(name, file, quotas);
        }
        YamlValue hashKey = entries.get("hash-key");
        byte[] key = hashKey == null ? null : hashKey.orNull(TenantReader::hashKey);
        return name == null ? null : new TenantSettings.Header(name, key, quotas);
    }

    private static void refuse(@Nullable YamlValue value, String name, String partner) {
        String shown = partner.contains(" ") ? partner : "'" + partner + "'";
        if (value != null) value.wrong("'" + name + "' goes with " + shown + " only");
    }

    /** Read here and now, so that a bad one is told of with its line in the configuration, and nothing starts with it. */
    private static Path map(String text) {
        Path file = Path.of(filled(text));
        TenantMap.read(file);
        return file;
    }

    private static String headerName(String text) {
        if (!HEADER_NAME.matcher(text).matches())
            throw new IllegalArgumentException("'" + text + "' is not the name of a header, such as X-Api-Key");
        if (text.equalsIgnoreCase(IdempotencyKey.HEADER))
            throw new IllegalArgumentException(
                    text + " names an operation, not a tenant; name the header with the client's secret");
        return text;
    }

    /** The messages do not repeat the text, which is a secret. */
    private static byte[] hashKey(String text) {
        byte[] key;
        try {
            key = Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the hash-key is not base64", e);
        }
        if (key.length < HeaderTenant.MIN_HASH_KEY_BYTES)
            throw new IllegalArgumentException("the hash-key has " + key.length + " bytes; it needs at least "
                    + HeaderTenant.MIN_HASH_KEY_BYTES + ", such as from 'openssl rand -base64 32'");
        return key;
    }

    private static TenantSettings.@Nullable Jwt jwt(
            YamlValue tenant, YamlValue claim, Map<String, YamlValue> entries, Quotas quotas) {
        refuse(entries.get("hash-key"), "hash-key", "header");
        refuse(entries.get("map"), "map", "header");
        String name = filled(claim);
        String issuer = filled(entries.get("issuer"));
        String audience = filled(entries.get("audience"));
        YamlValue jwks = entries.get("jwks");
        if (jwks == null) tenant.wrong("'jwt-claim' needs 'jwks', a file or a URL with the keys to verify tokens with");
        String place = jwks == null ? null : jwks.orNull(TenantReader::jwks);
        return name == null || place == null ? null : new TenantSettings.Jwt(name, place, issuer, audience, quotas);
    }

    private static @Nullable String filled(@Nullable YamlValue value) {
        return value == null ? null : value.orNull(TenantReader::filled);
    }

    private static String filled(String text) {
        if (text.isBlank()) throw new IllegalArgumentException("there is nothing here; give a value or leave it out");
        return text;
    }

    private static String jwks(String text) {
        if (JwksPlace.parse(filled(text)) instanceof JwksPlace.File(var path)
                && (!Files.isReadable(path) || Files.isDirectory(path)))
            throw new IllegalArgumentException(
                    "'" + text + "' is neither a file that can be read nor an http or https URL");
        return text;
    }
}
