package dev.semel.http.tenant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.http.Headers;
import dev.semel.http.tenant.TenantReading.Known;
import dev.semel.http.tenant.TenantReading.Unknown;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MappedTenantTest {
    // printf %s secret | sha256sum
    private static final String SECRET = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";
    // printf %s other | sha256sum
    private static final String OTHER = "d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa";

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void write_a_map() throws Exception {
        file = Files.writeString(folder.resolve("tenants.map"), "# who is who\n\n" + SECRET + "  acme\n");
    }

    private static Headers key(String value) {
        return Headers.NONE.with("X-Api-Key", value);
    }

    @Test
    void a_secret_that_the_file_has_is_its_tenants_and_any_other_is_nobodys() {
        MappedTenant rule = new MappedTenant("X-Api-Key", file);
        assertEquals(new Known("m:acme"), rule.read(key("secret")));
        assertEquals(new Known("m:acme"), rule.read(key(" secret\t")));
        for (Headers headers : new Headers[] {key("other"), key("Secret"), key(SECRET), key(""), Headers.NONE}) {
            Unknown unknown = assertInstanceOf(Unknown.class, rule.read(headers));
            assertFalse(unknown.why().contains("other") || unknown.why().contains(SECRET), unknown.why());
        }
        assertInstanceOf(Unknown.class, rule.read(key("secret").with("X-Api-Key", "secret")));
    }

    @Test
    void a_tenant_has_two_secrets_while_one_takes_over_from_the_other() throws Exception {
        MappedTenant before = new MappedTenant("X-Api-Key", file);
        Files.writeString(file, SECRET + " acme\n" + OTHER.toUpperCase(java.util.Locale.ROOT) + " acme\n");
        assertInstanceOf(Unknown.class, before.read(key("other")), "not before it is read again");
        MappedTenant both = new MappedTenant("X-Api-Key", file);
        assertEquals(both.read(key("secret")), both.read(key("other")));
        Files.writeString(file, OTHER + " acme\n");
        assertInstanceOf(Unknown.class, new MappedTenant("X-Api-Key", file).read(key("secret")));
    }

    /** So its keys stay its own when the file is introduced. */
    @Test
    void a_tenant_keeps_the_name_that_it_had_without_the_file() throws Exception {
        HeaderTenant before = new HeaderTenant("X-Api-Key", new byte[32]);
        Known known = assertInstanceOf(Known.class, before.read(key("secret")));
        Files.writeString(file, SECRET + " " + known.tenant() + "\n" + OTHER + " " + known.tenant() + "\n");
        MappedTenant rule = new MappedTenant("X-Api-Key", file);
        assertEquals(known, rule.read(key("secret")));
        assertEquals(known, rule.read(key("other")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# nobody\n",
                "secret acme\n",
                SECRET + "\n",
                SECRET + " a b\n",
                SECRET + " a:b\n",
                SECRET + " h:short\n",
                SECRET + " acme\nand-what-is-this\n",
                SECRET + " acme\n" + SECRET + " else\n"
            })
    void a_bad_file_is_refused_without_telling_what_is_in_it(String bad) throws Exception {
        Files.writeString(file, bad);
        IllegalArgumentException flaw =
                assertThrows(IllegalArgumentException.class, () -> new MappedTenant("X-Api-Key", file));
        assertFalse(flaw.getMessage().contains("secret acme"), "the line may be a secret: " + flaw.getMessage());
        Files.delete(file);
        assertThrows(IllegalArgumentException.class, () -> new MappedTenant("X-Api-Key", file));
    }
}
