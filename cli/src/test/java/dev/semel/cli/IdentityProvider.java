package dev.semel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.testkit.http.TokenSigner;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;

/** Signs tokens, and serves the JWKS to verify them with. */
final class IdentityProvider implements AutoCloseable {
    private final HttpServer server;
    private volatile TokenSigner signer;

    private IdentityProvider(HttpServer server) {
        this.server = server;
        this.signer = TokenSigner.named("first");
    }

    static IdentityProvider start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        IdentityProvider provider = new IdentityProvider(server);
        server.createContext("/jwks", provider::answer);
        server.start();
        return provider;
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] jwks = signer.jwks().getBytes(UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(200, jwks.length);
            exchange.getResponseBody().write(jwks);
        }
    }

    URI jwks() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/jwks");
    }

    TokenSigner signer() {
        return signer;
    }

    /** From now on it signs with another key, and the JWKS has that one only. */
    TokenSigner rotate(String id) {
        signer = TokenSigner.named(id);
        return signer;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
