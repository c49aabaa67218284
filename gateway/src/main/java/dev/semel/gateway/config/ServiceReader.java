package dev.semel.gateway.config;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code service: off} or {@code service: { token: … }}. */
final class ServiceReader {
    private static final int SHORTEST_TOKEN = 16;

    private ServiceReader() {}

    static ServiceSettings read(@Nullable YamlValue value, @Nullable TenantSettings tenant) {
        if (value == null) return ServiceSettings.DEFAULT;
        if (!value.isMap()) return value.as(ServiceReader::word, ServiceSettings.OFF);
        YamlValue token = value.map("service", Set.of("token"), Map.of()).get("token");
        if (token == null) {
            value.wrong("service needs 'token', or is 'off'; leave it out to serve it on loopback and to tenants only");
            return ServiceSettings.OFF;
        }
        if (tenant instanceof TenantSettings.Jwt)
            token.wrong("a request has one Authorization header, and tenants bring their own token in it;"
                    + " leave the token of the service API out: it is served to tenants already");
        String text = token.orNull(ServiceReader::token);
        return text == null ? ServiceSettings.OFF : ServiceSettings.withToken(text);
    }

    /** YAML 1.1 writers say false where they mean off. */
    private static ServiceSettings word(String text) {
        if (text.equals("off") || text.equals("false")) return ServiceSettings.OFF;
        throw new IllegalArgumentException("service is 'off' or '{ token: … }'");
    }

    /** The messages do not repeat the text, which is a secret. */
    private static String token(String text) {
        if (text.length() < SHORTEST_TOKEN || !text.chars().allMatch(c -> c > ' ' && c < 0x7f))
            throw new IllegalArgumentException("the token of the service API must be visible ASCII without spaces, at"
                    + " least " + SHORTEST_TOKEN + " characters, such as from 'openssl rand -hex 32'");
        return text;
    }
}
