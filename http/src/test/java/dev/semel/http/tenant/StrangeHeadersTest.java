package dev.semel.http.tenant;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import dev.semel.http.Headers;
import dev.semel.http.tenant.TenantReading.Known;
import dev.semel.http.tenant.TenantReading.Unknown;
import dev.semel.testkit.HandClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever strangers send, there is a reading and no exception. */
class StrangeHeadersTest {
    private static final ECKey KEY = TestTokens.ec("k", Curve.P_256);

    @TempDir
    Path folder;

    private final HandClock clock = new HandClock();
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private TenantRule rule;

    @BeforeEach
    void trust_one_key() throws Exception {
        Path file = Files.writeString(folder.resolve("jwks.json"), TestTokens.jwks(KEY));
        rule = JwtTenant.of(new JwksPlace.File(file), new JwtRules("sub", null, null), clock);
    }

    @Test
    void random_bytes_have_no_tenant() {
        for (int i = 0; i < 20_000; i++) unknown(random.nextBoolean() ? noise(60) : "Bearer " + noise(60));
    }

    @Test
    void random_bytes_in_three_parts_have_no_tenant() {
        for (int i = 0; i < 20_000; i++) unknown("Bearer " + part(40) + "." + part(40) + "." + part(64));
    }

    @Test
    void a_head_with_random_changes_has_no_tenant_and_no_exception() {
        String[] good = token().split("\\.");
        for (int i = 0; i < 20_000; i++) {
            byte[] head = "{\"alg\":\"ES256\",\"kid\":\"k\",\"typ\":\"JWT\",\"crit\":[\"b64\"]}".getBytes(ISO_8859_1);
            for (int n = random.nextInt(4); n >= 0; n--) head[random.nextInt(head.length)] = (byte) random.nextInt(256);
            unknown("Bearer " + TestTokens.base64(head) + "." + good[1] + "." + good[2]);
        }
    }

    @Test
    void a_token_with_one_changed_character_has_no_tenant() {
        String good = token();
        assertInstanceOf(Known.class, rule.read(TestTokens.bearer(good)));
        for (int i = 0; i < good.length() - 1; i++) {
            char other = good.charAt(i) == 'A' ? 'B' : 'A';
            unknown("Bearer " + good.substring(0, i) + other + good.substring(i + 1));
        }
    }

    @Test
    void heads_made_to_hurt_a_parser_have_no_tenant() {
        for (String head : new String[] {
            "[".repeat(10_000),
            "{\"a\":".repeat(2_000),
            "{\"alg\":\"ES256\",\"a\":" + "[".repeat(8_000) + "]".repeat(3_000) + "}",
            "{\"alg\":null}",
            "{\"alg\":{}}",
            "{\"alg\":\"ES256\",\"kid\":7}",
            "{\"alg\":\"ES256\",\"alg\":\"none\"}",
            "{\"alg\":\"ES256\",\"jwk\":{\"kty\":\"oct\",\"k\":\"AA\"}}",
            "{\"alg\":\"ES256\",\"x5u\":\"http://[\",\"x5c\":[\"AA\"]}",
            "{\"alg\":\"ES256\",\"exp\":1e999999999}",
            "{\"alg\":\"dir\",\"enc\":\"A128GCM\"}",
            "null",
            "\"\"",
            "\ud800"
        }) unknown("Bearer " + TestTokens.base64(head) + "." + TestTokens.base64("{}") + "." + part(64));
    }

    @Test
    void random_bytes_as_an_api_key_always_have_a_reading() {
        TenantRule header = new HeaderTenant("X-Api-Key", new byte[32]);
        for (int i = 0; i < 20_000; i++)
            assertNotNull(header.read(Headers.NONE.with("X-Api-Key", noise(40))), () -> "seed " + seed);
    }

    private void unknown(String authorization) {
        TenantReading reading;
        try {
            reading = rule.read(Headers.NONE.with("Authorization", authorization));
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed " + seed + ": " + authorization, e);
        }
        assertInstanceOf(Unknown.class, reading, () -> "seed " + seed + ": " + authorization);
    }

    private String token() {
        return TestTokens.token(KEY, TestTokens.claims("acme", clock.instant()).build());
    }

    private String noise(int atMost) {
        StringBuilder text = new StringBuilder();
        int range = random.nextInt(10) == 0 ? 0x10000 : 0x100;
        for (int i = random.nextInt(atMost); i >= 0; i--) text.append((char) random.nextInt(range));
        return text.toString();
    }

    private String part(int atMost) {
        byte[] bytes = new byte[1 + random.nextInt(atMost)];
        random.nextBytes(bytes);
        return TestTokens.base64(bytes);
    }
}
