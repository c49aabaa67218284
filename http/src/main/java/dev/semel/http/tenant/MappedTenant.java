package dev.semel.http.tenant;

import dev.semel.http.Headers;
import dev.semel.http.tenant.TenantReading.Known;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Tells tenants apart by a secret they send in a header, such as an API key, and by a file that names the tenant of each
 * secret. A tenant may have several secrets, so that one can take over from another; a secret that the file does not
 * have is nobody's. The file has digests only, see {@link TenantMap}, and is read once. Safe for use by any thread.
 */
public final class MappedTenant implements TenantRule {
    private final SecretHeader header;
    private final Path file;
    private final TenantMap tenants;

    /** @throws IllegalArgumentException when the file cannot be read or is not such a map */
    public MappedTenant(String header, Path file) {
        this.header = new SecretHeader(header);
        this.file = file;
        this.tenants = TenantMap.read(file);
    }

    @Override
    public TenantReading read(Headers headers) {
        return switch (header.read(headers)) {
            case SecretHeader.Reading.Unusable(TenantReading.Unknown reading) -> reading;
            case SecretHeader.Reading.Secret(byte[] bytes) -> {
                String tenant = tenants.of(sha256(bytes));
                yield tenant == null ? header.unknown("names nobody who is known here") : new Known(tenant);
            }
        };
    }

    @Override
    public String challenge() {
        return header.challenge();
    }

    private static String sha256(byte[] secret) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(secret));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    @Override
    public String toString() {
        return "MappedTenant[" + header.name() + ", " + file + "]";
    }
}
