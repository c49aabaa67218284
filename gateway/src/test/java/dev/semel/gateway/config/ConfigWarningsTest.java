package dev.semel.gateway.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigWarningsTest {
    private static final String TENANT = "tenant: { header: X-Api-Key }\n";

    @Test
    void a_probe_by_the_key_alone_does_not_tell_tenants_apart() {
        List<String> told = cautions(TENANT, "probe: { get: '/v1/charges/{key}?secret=s3cret' }");
        assertEquals(1, told.size(), told.toString());
        for (String part : List.of("'POST /v1/charges'", "GET /v1/charges/{key}", "two tenants", "{header:X-Merchant}"))
            assertTrue(told.getFirst().contains(part), told.toString());
        assertFalse(told.getFirst().contains("s3cret"), told.toString());
        assertEquals(
                1,
                cautions(
                                "tenant: { jwt-claim: sub, jwks: http://a }\n",
                                "probe: { post: '/p?k={key}', headers: { X-Merchant: a } }")
                        .size(),
                "a header that is the same for all tells nobody apart");
    }

    @Test
    void a_probe_that_names_more_of_the_request_may_be_meant_so() {
        assertEquals(List.of(), cautions(TENANT, "probe: { get: '/v1/{header:X-Merchant}/charges/{key}' }"));
        assertEquals(List.of(), cautions(TENANT, "probe: { get: '/v1/charges?m={body:/merchant}&k={key}' }"));
    }

    @Test
    void there_is_nothing_to_say_without_tenants_or_without_a_probe() {
        assertEquals(List.of(), cautions("", "probe: { get: '/v1/charges/{key}' }"));
        assertEquals(List.of(), cautions(TENANT, "key: required"));
    }

    private static List<String> cautions(String tenant, String setting) {
        String yaml = tenant + "upstream: { url: http://127.0.0.1:9 }\nroutes:\n  - match: POST /v1/charges\n    "
                + setting + "\n";
        return switch (ConfigReader.read(yaml, "semel.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> ConfigWarnings.of(config);
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }
}
