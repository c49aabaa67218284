package dev.semel.http.tenant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import dev.semel.http.tenant.TenantReading.Known;
import dev.semel.http.tenant.TenantReading.Unknown;
import dev.semel.testkit.HandClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JwksFileTest {
    private static final ECKey OLD = TestTokens.ec("old", Curve.P_256);
    private static final ECKey NEW = TestTokens.ec("new", Curve.P_256);

    @TempDir
    Path folder;

    private final HandClock clock = new HandClock();
    private Path file;
    private int writes;

    @BeforeEach
    void write_the_first_keys() throws Exception {
        file = folder.resolve("jwks.json");
        write(TestTokens.jwks(OLD));
    }

    @Test
    void the_file_is_read_again_when_it_changed() throws Exception {
        TenantRule rule = rule();
        String old = token(OLD);
        assertEquals(new Known("j:acme"), rule.read(TestTokens.bearer(old)));
        assertInstanceOf(Unknown.class, rule.read(TestTokens.bearer(token(NEW))));
        write(TestTokens.jwks(NEW));
        assertInstanceOf(Unknown.class, rule.read(TestTokens.bearer(old)));
        assertEquals(new Known("j:acme"), rule.read(TestTokens.bearer(token(NEW))));
    }

    @Test
    void a_file_put_in_its_place_is_noticed_even_when_it_is_as_old_and_as_long() throws Exception {
        JwksFile jwks = new JwksFile(file);
        SigningKeys before = jwks.current();
        Path next = Files.writeString(folder.resolve("next"), TestTokens.jwks(NEW));
        assertEquals(Files.size(file), Files.size(next));
        Files.setLastModifiedTime(next, Files.getLastModifiedTime(file));
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
        assertNotSame(before, jwks.current());
    }

    @Test
    void a_file_that_says_the_same_is_the_same() throws Exception {
        JwksFile jwks = new JwksFile(file);
        SigningKeys before = jwks.current();
        write(TestTokens.jwks(OLD) + "\n");
        assertSame(before, jwks.current());
    }

    @Test
    void a_file_that_went_bad_or_missing_leaves_the_last_good_keys_in_use() throws Exception {
        TenantRule rule = rule();
        write("{\"keys\":[{");
        assertInstanceOf(Known.class, rule.read(TestTokens.bearer(token(OLD))));
        Files.delete(file);
        assertInstanceOf(Known.class, rule.read(TestTokens.bearer(token(OLD))));
        write(TestTokens.jwks(NEW));
        assertInstanceOf(Known.class, rule.read(TestTokens.bearer(token(NEW))));
    }

    @Test
    void a_file_without_a_key_of_use_is_refused_at_once() throws Exception {
        refused("no such file", folder.resolve("none.json"));
        write("not json");
        refused("not a JSON Web Key Set", file);
        write("x".repeat(SigningKeys.MAX_JWKS_BYTES + 1));
        refused("more than", file);
        write(TestTokens.jwks(new OctetSequenceKeyGenerator(256).keyID("secret").generate()));
        refused("no RSA key", file);
        write(TestTokens.jwks(TestTokens.rsa("short", 1024)));
        refused("no RSA key", file);
        write(TestTokens.jwks(new ECKey.Builder(OLD).keyUse(KeyUse.ENCRYPTION).build()));
        refused("no RSA key", file);
        refused("of no use", folder);
    }

    @Test
    void keys_of_kinds_not_known_here_do_not_spoil_the_others() throws Exception {
        String known = TestTokens.jwks(OLD);
        write(known.replace("\"keys\":[", "\"keys\":[{\"kty\":\"FUTURE\",\"x\":1},"));
        assertInstanceOf(Known.class, rule().read(TestTokens.bearer(token(OLD))));
    }

    @Test
    void a_private_key_in_the_file_is_not_in_the_message() throws Exception {
        String secret = OLD.getD().toString();
        write(new JWKSet(OLD).toString(false).replace("P-256", "P-257"));
        assertTrue(Files.readString(file).contains(secret));
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> new JwksFile(file));
        for (Throwable e = refusal; e != null; e = e.getCause())
            assertFalse(e.toString().contains(secret));
    }

    private void refused(String why, Path place) {
        IllegalArgumentException refusal = assertThrows(
                IllegalArgumentException.class,
                () -> JwtTenant.of(JwksPlace.parse(place.toString()), new JwtRules("sub", null, null), clock));
        assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
    }

    private TenantRule rule() {
        return JwtTenant.of(new JwksPlace.File(file), new JwtRules("sub", null, null), clock);
    }

    /** Each write has a time of its own, however coarse the clock of the file system is. */
    private void write(String text) throws Exception {
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH.plusSeconds(++writes)));
    }

    private String token(JWK key) {
        return TestTokens.token(key, TestTokens.claims("acme", clock.instant()).build());
    }
}
