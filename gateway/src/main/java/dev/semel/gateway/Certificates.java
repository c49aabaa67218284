package dev.semel.gateway;

import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.RouteSettings;
import dev.semel.gateway.config.TlsSettings;
import dev.semel.gateway.config.UpstreamSettings;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/** Reads certificates and finds out that they cannot be used before a client does. */
final class Certificates {
    private Certificates() {}

    /**
     * The gateway's own, as the files are now: what happens to them later changes nothing.
     *
     * @throws IllegalArgumentException when they cannot be read, or the key is not that of the certificate
     */
    static PemKeyCertOptions own(Vertx vertx, TlsSettings tls) {
        PemKeyCertOptions options =
                new PemKeyCertOptions().addCertValue(read(tls.certificate())).addKeyValue(read(tls.key()));
        String files = "the certificate " + tls.certificate() + " with the key " + tls.key();
        try {
            for (KeyManager manager : options.getKeyManagerFactory(vertx).getKeyManagers())
                if (manager instanceof X509KeyManager it) check(it, files);
            return options;
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalArgumentException("TLS cannot use " + files + ": " + e.getMessage(), e);
        }
    }

    private static Buffer read(Path file) {
        try {
            return Buffer.buffer(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new IllegalArgumentException("the file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static void check(X509KeyManager manager, String files) throws Exception {
        for (String type : new String[] {"RSA", "EC", "EdDSA", "DSA"}) {
            String[] aliases = manager.getServerAliases(type, null);
            if (aliases == null) continue;
            for (String alias : aliases) {
                X509Certificate first = manager.getCertificateChain(alias)[0];
                first.checkValidity();
                if (!match(manager.getPrivateKey(alias), first.getPublicKey()))
                    throw new IllegalArgumentException(
                            "TLS cannot use " + files + ": the key belongs to another certificate");
            }
        }
    }

    private static boolean match(PrivateKey key, PublicKey certified) throws Exception {
        String algorithm = algorithm(key.getAlgorithm());
        if (algorithm == null) return true;
        if (!certified.getAlgorithm().equals(key.getAlgorithm())) return false;
        byte[] text = {1, 2, 3};
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(text);
        byte[] signature = signing.sign();
        Signature verifying = Signature.getInstance(algorithm);
        verifying.initVerify(certified);
        verifying.update(text);
        return verifying.verify(signature);
    }

    /** Null for what is seldom used, and is left for the handshake to find out. */
    private static @Nullable String algorithm(String key) {
        return switch (key) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            case "EdDSA" -> "EdDSA";
            default -> null;
        };
    }

    /** @throws IllegalArgumentException when a file with what to trust of an upstream cannot be used */
    static void checkTrust(Vertx vertx, GatewayConfig config) {
        checkTrust(vertx, config.upstream());
        for (RouteSettings route : config.routes()) if (route.upstream() != null) checkTrust(vertx, route.upstream());
    }

    private static void checkTrust(Vertx vertx, UpstreamSettings upstream) {
        Path trust = upstream.trust();
        if (trust == null) return;
        try {
            new PemTrustOptions().addCertValue(read(trust)).getTrustManagerFactory(vertx);
        } catch (Exception e) {
            throw new IllegalArgumentException(
                    "the certificates in " + trust + " cannot be used: " + e.getMessage(), e);
        }
    }
}
