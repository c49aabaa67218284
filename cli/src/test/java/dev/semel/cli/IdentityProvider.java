package dev.semel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * Signs tokens, and shows with a JWKS how to verify them. Made of the platform alone, so that no library both writes a
 * token and reads it.
 */
final class IdentityProvider implements AutoCloseable {
    static final String ISSUER = "https://id.example/";
    static final String AUDIENCE = "payments";

    private final HttpServer server;
    private volatile Signer signer;

    private IdentityProvider(HttpServer server) {
        this.server = server;
        this.signer = Signer.named("first");
    }

    static IdentityProvider start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        IdentityProvider provider = new IdentityProvider(server);
        server.createContext("/jwks", provider::answer);
        server.start();
        return provider;
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] jwks = ("{\"keys\":[" + signer.jwk() + "]}").getBytes(UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(200, jwks.length);
            exchange.getResponseBody().write(jwks);
        }
    }

    URI jwks() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/jwks");
    }

    Signer signer() {
        return signer;
    }

    /** From now on it signs with another key, and the JWKS has that one only. */
    Signer rotate(String id) {
        signer = Signer.named(id);
        return signer;
    }

    /** A token's payload, good for ten minutes. */
    static String claims(String subject) {
        return claims(subject, AUDIENCE, Instant.now().plusSeconds(600));
    }

    static String claims(String subject, String audience, Instant end) {
        return "{\"sub\":\"%s\",\"iss\":\"%s\",\"aud\":\"%s\",\"exp\":%d}"
                .formatted(subject, ISSUER, audience, end.getEpochSecond());
    }

    static String unsigned(String claims) {
        return base64("{\"alg\":\"none\"}") + "." + base64(claims) + ".";
    }

    /** A key with its name. */
    record Signer(String id, KeyPair pair) {
        static Signer named(String id) {
            try {
                KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
                keys.initialize(2048);
                return new Signer(id, keys.generateKeyPair());
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }

        private String jwk() {
            RSAPublicKey key = (RSAPublicKey) pair.getPublic();
            return "{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"%s\",\"n\":\"%s\",\"e\":\"%s\"}"
                    .formatted(
                            id,
                            base64(unpadded(key.getModulus().toByteArray())),
                            base64(key.getPublicExponent().toByteArray()));
        }

        /** Without the zero that says that a number is positive. */
        private static byte[] unpadded(byte[] number) {
            return number[0] == 0 ? Arrays.copyOfRange(number, 1, number.length) : number;
        }

        String token(String claims) {
            String signed = base64("{\"alg\":\"RS256\",\"kid\":\"" + id + "\"}") + "." + base64(claims);
            try {
                Signature signature = Signature.getInstance("SHA256withRSA");
                signature.initSign(pair.getPrivate());
                signature.update(signed.getBytes(UTF_8));
                return signed + "." + base64(signature.sign());
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static String base64(String text) {
        return base64(text.getBytes(UTF_8));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
