package dev.semel.gateway.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceReaderTest {
    private static final String TOKEN = "0123456789abcdef";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "127.0.0.1:0 | '' | served to this machine only",
                "'[::1]:0'   | '' | served to this machine only",
                "0.0.0.0:0   | '' | not served. Other machines can reach",
                "10.0.0.1:0  | '' | not served. Other machines can reach",
                "10.0.0.1:0  | 'service: { token: 0123456789abcdef }' | served to whoever shows its token.",
                "10.0.0.1:0  | 'tenant: { header: X-Api-Key }' | served to whoever is a tenant",
                "127.0.0.1:0 | 'service: off' | not served. The configuration says",
                "10.0.0.1:0  | 'service: off' | not served. The configuration says",
            })
    void where_it_is_served_follows_from_who_can_reach_it(String listen, String settings, String expected) {
        String told = ServiceExposure.of(valid("listen: \"" + listen + "\"\n" + settings))
                .explained();
        assertTrue(told.contains(expected), told);
    }

    @Test
    void whoever_is_told_to_configure_something_is_told_what() {
        String told = ServiceExposure.of(valid("listen: 0.0.0.0:8080")).explained();
        assertEquals(
                "The service API is not served. Other machines can reach this listener, and clients are not told apart."
                        + " Configure 'service: { token: … }' or 'tenant: …', or listen on 127.0.0.1.",
                told);
    }

    @Test
    void the_token_is_not_printed() {
        ServiceSettings service = valid("service: { token: " + TOKEN + " }").service();
        assertEquals(TOKEN, service.token());
        assertFalse(service.toString().contains(TOKEN));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "service: on",
                "service: {}",
                "service: []",
                "service: { token: short }",
                "service: { token: 'with a space in it' }",
                "service: { tokens: 0123456789abcdef }",
                "service: { token: 0123456789abcdef }\ntenant: { jwt-claim: sub, jwks: https://id.example/jwks }"
            })
    void what_is_wrong_is_told_and_secrets_are_not(String settings) {
        var result = ConfigReader.read(yaml(settings), "f.yaml", name -> null, null);
        String problems = assertInstanceOf(ConfigReader.Result.Invalid.class, result)
                .problems()
                .toString();
        assertFalse(problems.contains("with a space") || problems.contains("short }"), problems);
    }

    private static GatewayConfig valid(String settings) {
        var result = ConfigReader.read(yaml(settings), "f.yaml", name -> null, null);
        return assertInstanceOf(ConfigReader.Result.Valid.class, result, result::toString)
                .config();
    }

    private static String yaml(String settings) {
        return "upstream: { url: http://127.0.0.1:9000 }\n" + settings + "\n";
    }
}
