package dev.semel.gateway.config;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.semel.core.claim.Quotas;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TenantReaderTest {
    private static final byte[] KEY = new byte[32];
    private static final Map<String, String> ENVIRONMENT =
            Map.of("HASH_KEY", Base64.getEncoder().encodeToString(KEY), "SHORT", "c2VjcmV0", "CLAIM", "org");

    @TempDir
    Path folder;

    @Test
    void without_the_section_there_is_one_tenant() {
        assertNull(valid("").tenant());
    }

    @Test
    void a_header_may_come_without_a_hash_key() {
        TenantSettings.Header header = header("tenant: { header: X-Api-Key }");
        assertEquals("X-Api-Key", header.name());
        assertNull(header.hashKey());
        assertEquals("Header[name=X-Api-Key, hashKey=none]", header.toString());
    }

    @Test
    void a_hash_key_comes_from_the_environment_and_is_not_printed() {
        TenantSettings.Header header = header("tenant: { header: X-Api-Key, hash-key: \"${HASH_KEY}\" }");
        assertArrayEquals(KEY, header.hashKey());
        assertEquals("Header[name=X-Api-Key, hashKey=***]", header.toString());
    }

    @Test
    void a_map_tells_whose_each_secret_is() throws Exception {
        Path file = Files.writeString(folder.resolve("tenants.map"), "ab".repeat(32) + " acme\n");
        assertEquals(
                new TenantSettings.Mapped("X-Api-Key", file, Quotas.NONE),
                valid("tenant: { header: X-Api-Key, map: " + file + " }").tenant());
        String start = "tenant: { header: A, map: " + file;
        wrong(
                "2:" + (start.length() + 13) + ": 'hash-key' goes with a header without 'map' only",
                start + ", hash-key: \"${HASH_KEY}\" }");
    }

    @Test
    void a_map_that_is_of_no_use_is_told_and_not_repeated() throws Exception {
        Path file = Files.writeString(folder.resolve("tenants.map"), "my-secret-key acme\n");
        wrong(
                "2:27: the tenant map " + file
                        + " is of no use: line 1 is not the SHA-256 of a secret in 64 hexadecimal"
                        + " digits, a space and the name of a tenant (letters, digits and . _ @ + -)",
                "tenant: { header: A, map: " + file + " }");
        Path none = folder.resolve("none");
        wrong(
                "2:27: the tenant map " + none + " is of no use: there is no such file",
                "tenant: { header: A, map: " + none + " }");
    }

    @Test
    void a_claim_goes_with_keys_from_a_url() {
        assertEquals(
                new TenantSettings.Jwt(
                        "org", "https://id.example/jwks?p=1", "https://id.example", "semel", Quotas.NONE),
                valid("""
                    tenant:
                      jwt-claim: ${CLAIM}
                      jwks: https://id.example/jwks?p=1
                      issuer: https://id.example
                      audience: semel
                    """).tenant());
    }

    @Test
    void a_claim_goes_with_keys_from_a_file() throws Exception {
        Path file = Files.writeString(folder.resolve("jwks.json"), "{}");
        assertEquals(
                new TenantSettings.Jwt("sub", file.toString(), null, null, Quotas.NONE),
                valid("tenant: { jwt-claim: sub, jwks: '" + file + "' }").tenant());
    }

    @Test
    void the_tenant_stays_when_other_settings_are_given_elsewhere() {
        GatewayConfig config = valid("tenant: { header: X-Api-Key }");
        HostPort anywhere = new HostPort("127.0.0.1", 0);
        GatewayConfig changed = config.withListen(anywhere).withAdmin(anywhere).withStore("memory:");
        assertEquals(config.tenant(), changed.tenant());
    }

    @Test
    void either_a_header_or_a_claim() {
        wrong("2:9: a tenant has either 'header' or 'jwt-claim', not both", "tenant: { header: A, jwt-claim: b }");
        wrong("2:9: a tenant needs 'header', or 'jwt-claim' and 'jwks'", "tenant: {}");
        wrong("2:9: a tenant needs 'header', or 'jwt-claim' and 'jwks'", "tenant: { issuer: a }");
        wrong("2:9: tenant must be a map of names and values", "tenant: X-Api-Key");
        wrong("2:11: unknown name 'headers' in tenant. Did you mean 'header'?", "tenant: { headers: A, header: B }");
    }

    @Test
    void what_belongs_to_the_other_kind_is_refused() {
        wrong("2:28: 'jwks' goes with 'jwt-claim' only", "tenant: { header: A, jwks: https://a/b }");
        wrong("2:30: 'issuer' goes with 'jwt-claim' only", "tenant: { header: A, issuer: b }");
        wrong("2:32: 'audience' goes with 'jwt-claim' only", "tenant: { header: A, audience: b }");
        wrong("2:51: 'hash-key' goes with 'header' only", "tenant: { jwt-claim: a, jwks: http://a, hash-key: b }");
    }

    @Test
    void a_header_must_have_the_name_of_one() {
        wrong("2:19: 'X Api' is not the name of a header, such as X-Api-Key", "tenant: { header: X Api }");
        wrong("2:19: '' is not the name of a header, such as X-Api-Key", "tenant: { header: '' }");
        wrong(
                "2:19: idempotency-key names an operation, not a tenant; name the header with the client's secret",
                "tenant: { header: idempotency-key }");
    }

    @Test
    void a_hash_key_must_be_long_and_is_never_repeated() {
        wrong("2:32: the hash-key is not base64", "tenant: { header: A, hash-key: 'sec ret!' }");
        List<ConfigProblem> problems = problems("tenant: { header: A, hash-key: '${SHORT}' }");
        assertEquals(
                "semel.yaml:2:32: the hash-key has 6 bytes; it needs at least 32, such as from 'openssl rand -base64"
                        + " 32'",
                problems.getFirst().toString());
        assertFalse(problems.toString().contains("c2VjcmV0"));
        wrong(
                "2:32: the environment has no variable UNSET; set it or remove ${UNSET}",
                "tenant: { header: A, hash-key: '${UNSET}' }");
    }

    @Test
    void a_claim_needs_keys_that_can_be_found() {
        wrong(
                "2:9: 'jwt-claim' needs 'jwks', a file or a URL with the keys to verify tokens with",
                "tenant: { jwt-claim: sub }");
        String neither = "' is neither a file that can be read nor an http or https URL";
        wrong("2:33: '/no/such/file" + neither, "tenant: { jwt-claim: sub, jwks: /no/such/file }");
        wrong("2:33: 'ftp://a/b" + neither, "tenant: { jwt-claim: sub, jwks: ftp://a/b }");
        wrong("2:33: '" + folder + neither, "tenant: { jwt-claim: sub, jwks: " + folder + " }");
        wrong(
                "2:33: 'https://u:p@a' is not a URL of a host, without a user and a fragment",
                "tenant: { jwt-claim: sub, jwks: 'https://u:p@a' }");
        wrong(
                "2:33: 'http://a b' is not a URL: Illegal character in authority",
                "tenant: { jwt-claim: sub, jwks: http://a b }");
        wrong("2:33: there is nothing here; give a value or leave it out", "tenant: { jwt-claim: sub, jwks: '' }");
        wrong(
                "2:22: there is nothing here; give a value or leave it out",
                "tenant: { jwt-claim: ' ', jwks: http://a }");
    }

    @Test
    void tenants_may_have_quotas_and_what_is_left_out_has_no_limit() {
        assertEquals(
                new Quotas(1_000_000, 100, 50),
                header("tenant: { header: A, quota: { keys: 1000000, in-flight: 100, waiters: 50 } }")
                        .quotas());
        assertEquals(
                Quotas.NONE.withWaiters(0),
                Objects.requireNonNull(valid("tenant: { jwt-claim: sub, jwks: http://a, quota: { waiters: 0 } }")
                                .tenant())
                        .quotas());
        assertEquals(Quotas.NONE, header("tenant: { header: A }").quotas());
    }

    @Test
    void a_quota_is_a_number_within_reason() {
        String keys = "is not a quota; it is a whole number from 1 to 9223372036854775806";
        wrong("2:38: '0' " + keys, "tenant: { header: A, quota: { keys:  0 } }");
        wrong("2:37: 'many' " + keys, "tenant: { header: A, quota: { keys: many } }");
        wrong("2:37: '1e6' " + keys, "tenant: { header: A, quota: { keys: 1e6 } }");
        String few = "is not a quota; it is a whole number from 1 to 2147483646";
        wrong("2:42: '0' " + few, "tenant: { header: A, quota: { in-flight: 0 } }");
        wrong("2:42: '4294967297' " + few, "tenant: { header: A, quota: { in-flight: 4294967297 } }");
        String waiters = "is not a quota; it is a whole number from 0 to 2147483646";
        wrong("2:40: '-1' " + waiters, "tenant: { header: A, quota: { waiters: -1 } }");
        wrong("2:29: quota must be a map of names and values", "tenant: { header: A, quota: 5 }");
        wrong(
                "2:29: a quota needs 'keys', 'in-flight' or 'waiters'; leave it out for none",
                "tenant: { header: A, quota: {} }");
        wrong(
                "2:31: unknown name 'inflight' in quota. Did you mean 'in-flight'?",
                "tenant: { header: A, quota: { inflight: 1, keys: 1 } }");
    }

    private static TenantSettings.Header header(String section) {
        return assertInstanceOf(TenantSettings.Header.class, valid(section).tenant());
    }

    private static GatewayConfig valid(String section) {
        return switch (read(section)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> config;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    private static void wrong(String problem, String section) {
        assertEquals(
                List.of("semel.yaml:" + problem),
                problems(section).stream().map(ConfigProblem::toString).toList());
    }

    private static List<ConfigProblem> problems(String section) {
        return assertInstanceOf(ConfigReader.Result.Invalid.class, read(section))
                .problems();
    }

    private static ConfigReader.Result read(String section) {
        String yaml = "upstream: { url: http://127.0.0.1:9000 }\n" + section;
        return ConfigReader.read(yaml, "semel.yaml", TenantReaderTest::environment, null);
    }

    private static @Nullable String environment(String name) {
        return ENVIRONMENT.get(name);
    }
}
