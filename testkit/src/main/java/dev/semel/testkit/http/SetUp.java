package dev.semel.testkit.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * What a subject is told besides its routes. Subjects of all set-ups stand on one store, behind one upstream and under one
 * clock, like gateways of a fleet.
 */
public enum SetUp {
    /** Nothing: all clients count as one, and outcomes are kept as they are. */
    PLAIN {
        @Override
        public String settings() {
            return "";
        }
    },
    /** Clients are told apart by a secret of theirs, and each may have only so much. */
    TENANTS {
        @Override
        public String settings() {
            return "tenant: { header: X-Api-Key, quota: { keys: 3, in-flight: 2, waiters: 1 } }";
        }
    },
    /** Clients are told apart by tokens of {@link #SIGNER}. */
    TOKENS {
        @Override
        public String settings() {
            return "tenant: { jwt-claim: sub, jwks: \"%s\", issuer: \"%s\", audience: %s }"
                    .formatted(jwks(), TokenSigner.ISSUER, TokenSigner.AUDIENCE);
        }
    },
    /** A file tells whose each secret is: the secrets of {@link #MAPPED_SECRETS} are one tenant, and others are nobody's. */
    MAPPED {
        @Override
        public String settings() {
            return "tenant: { header: X-Api-Key, map: \"" + map() + "\" }";
        }
    },
    /** Outcomes are sealed with a first key, and a second is known already. */
    SEALED {
        @Override
        public String settings() {
            return "encryption: { active: k1, keys: { k1: \"" + key(1) + "\", k2: \"" + key(2) + "\" } }";
        }
    },
    /** Outcomes are sealed with the second key. */
    ROTATED {
        @Override
        public String settings() {
            return "encryption: { active: k2, keys: { k1: \"" + key(1) + "\", k2: \"" + key(2) + "\" } }";
        }
    },
    /** The first key is gone, and all that it sealed with it. */
    SHREDDED {
        @Override
        public String settings() {
            return "encryption: { active: k2, keys: { k2: \"" + key(2) + "\" } }";
        }
    };

    /** Whom {@link #TOKENS} trusts. */
    public static final TokenSigner SIGNER = TokenSigner.named("contract");

    /** The old and the new secret of one tenant of {@link #MAPPED}. */
    public static final List<String> MAPPED_SECRETS = List.of("old-secret", "new-secret");

    /** As lines of a configuration file. */
    public abstract String settings();

    private static String key(int number) {
        byte[] key = new byte[32];
        key[0] = (byte) number;
        return Base64.getEncoder().encodeToString(key);
    }

    private static Path jwks() {
        return file(".jwks", SIGNER.jwks());
    }

    private static Path map() {
        StringBuilder lines = new StringBuilder("# SHA-256 of the secret, and its tenant\n");
        for (String secret : MAPPED_SECRETS) lines.append(sha256(secret)).append("  acme\n");
        return file(".map", lines.toString());
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path file(String suffix, String text) {
        try {
            Path file = Files.createTempFile("contract-", suffix);
            file.toFile().deleteOnExit();
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
