package dev.semel.http.tenant;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which secret is whose. Each line of the file is the SHA-256 of a secret in hexadecimal and the name of its tenant;
 * empty lines and those that begin with {@code #} do not count:
 *
 * <pre>
 * 2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b  acme
 * </pre>
 *
 * <p>A name is kept as {@code m:NAME}. A name that {@link HeaderTenant} gave, {@code h:…}, stays as it is: so a tenant
 * keeps its keys when the file is introduced. Immutable.
 */
public final class TenantMap {
    private static final long LARGEST_FILE = 64 << 20;
    private static final Pattern LINE =
            Pattern.compile("([0-9A-Fa-f]{64})\\s+(h:[A-Za-z0-9_-]{22}|[A-Za-z0-9._@+-]{1,200})");

    private final Map<String, String> tenants;

    private TenantMap(Map<String, String> tenants) {
        this.tenants = tenants;
    }

    /** @throws IllegalArgumentException with what is wrong; never repeats a line, which may hold a secret by mistake */
    public static TenantMap read(Path file) {
        try {
            if (Files.size(file) > LARGEST_FILE) throw flaw(file, "it has more than " + (LARGEST_FILE >> 20) + " MiB");
            return of(file, Files.readAllLines(file, UTF_8));
        } catch (NoSuchFileException e) {
            throw flaw(file, "there is no such file");
        } catch (IOException e) {
            throw flaw(file, "it cannot be read as text");
        }
    }

    private static TenantMap of(Path file, List<String> lines) {
        Map<String, String> tenants = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) continue;
            Matcher parts = LINE.matcher(line);
            if (!parts.matches())
                throw flaw(
                        file,
                        "line " + (i + 1) + " is not the SHA-256 of a secret in 64 hexadecimal digits, a space"
                                + " and the name of a tenant (letters, digits and . _ @ + -)");
            String name = parts.group(2);
            String tenant = name.startsWith("h:") ? name : "m:" + name;
            String other = tenants.put(parts.group(1).toLowerCase(Locale.ROOT), tenant);
            if (other != null && !other.equals(tenant))
                throw flaw(file, "line " + (i + 1) + " gives a secret to a second tenant");
        }
        if (tenants.isEmpty()) throw flaw(file, "it names no tenant, so that nobody would be let in");
        return new TenantMap(Map.copyOf(tenants));
    }

    private static IllegalArgumentException flaw(Path file, String what) {
        return new IllegalArgumentException("the tenant map " + file + " is of no use: " + what);
    }

    /** @param sha256 in lower case; null when the secret is nobody's */
    @Nullable
    String of(String sha256) {
        return tenants.get(sha256);
    }
}
