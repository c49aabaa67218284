package dev.semel.http.tenant;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.http.Headers;
import dev.semel.http.tenant.TenantReading.Known;
import dev.semel.http.tenant.TenantReading.Unknown;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class HeaderTenantTest {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(US_ASCII);
    private final TenantRule rule = new HeaderTenant("X-Api-Key", KEY);

    @Test
    void everybody_is_one_tenant_when_nothing_tells_them_apart() {
        assertEquals(new Known(""), TenantRule.single().read(Headers.NONE));
        assertEquals(new Known(""), TenantRule.single().read(key("a")));
    }

    @Test
    void the_tenant_is_the_published_hmac_cut_to_sixteen_bytes() {
        byte[] key = new byte[131]; // RFC 4231, test case 6
        Arrays.fill(key, (byte) 0xaa);
        TenantRule published = new HeaderTenant("X-Api-Key", key);
        byte[] digest = HexFormat.of().parseHex("60e431591ee0b67f0d8a26aacbf5b77f");
        assertEquals(
                new Known("h:" + Base64.getUrlEncoder().withoutPadding().encodeToString(digest)),
                published.read(key("Test Using Larger Than Block-Size Key - Hash Key First")));
    }

    @Test
    void another_secret_and_another_hash_key_make_another_tenant() {
        byte[] other = KEY.clone();
        other[31] ^= 1;
        assertEquals(rule.read(key("secret")), rule.read(key("secret")));
        assertNotEquals(rule.read(key("secret")), rule.read(key("Secret")));
        assertNotEquals(rule.read(key("secret")), new HeaderTenant("X-Api-Key", other).read(key("secret")));
    }

    @Test
    void the_name_of_the_header_has_no_case_and_space_around_the_value_does_not_count() {
        assertEquals(rule.read(key("secret")), rule.read(Headers.NONE.with("x-api-KEY", "\t secret ")));
    }

    @Test
    void changing_the_bytes_it_was_made_with_changes_nothing() {
        byte[] key = KEY.clone();
        TenantRule made = new HeaderTenant("X-Api-Key", key);
        key[0]++;
        assertEquals(rule.read(key("secret")), made.read(key("secret")));
    }

    @Test
    void a_value_that_is_missing_empty_repeated_too_long_or_no_text_is_nobodys() {
        unknown("is missing", Headers.NONE.with("X-Other", "secret"));
        unknown("is empty", key(""));
        unknown("is empty", key(" \t"));
        unknown("was sent 2 times", key("secret").with("x-api-key", "secret"));
        unknown("is too long", key("s".repeat(8 * 1024 + 1)));
        unknown("is too long", key("ü".repeat(4 * 1024 + 1)));
        unknown("is not text", key("secret\ud800"));
        assertInstanceOf(Known.class, rule.read(key("s".repeat(8 * 1024))));
        assertInstanceOf(Known.class, rule.read(key("ü".repeat(4 * 1024))));
    }

    @Test
    void neither_the_secret_nor_the_hash_key_shows_in_what_can_be_printed() {
        assertFalse(rule.read(key("secret")).toString().contains("secret"));
        assertFalse(
                rule.read(key("secret").with("X-Api-Key", "secret")).toString().contains("secret"));
        assertEquals("HeaderTenant[X-Api-Key]", rule.toString());
    }

    @Test
    void a_short_hash_key_is_refused() {
        IllegalArgumentException refusal = assertThrows(
                IllegalArgumentException.class, () -> new HeaderTenant("X-Api-Key", Arrays.copyOf(KEY, 31)));
        assertFalse(refusal.getMessage().contains("0123"));
    }

    private void unknown(String why, Headers headers) {
        Unknown unknown = assertInstanceOf(Unknown.class, rule.read(headers));
        assertEquals(true, unknown.why().contains(why), unknown.why());
    }

    private static Headers key(String value) {
        return Headers.NONE.with("X-Api-Key", value);
    }
}
