package dev.semel.broker.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.semel.broker.webhook.http.AddressGuard;
import dev.semel.broker.webhook.http.AddressRange;
import dev.semel.broker.webhook.http.Answer;
import dev.semel.broker.webhook.http.EndpointUrl;
import dev.semel.broker.webhook.http.HttpPost;
import dev.semel.broker.webhook.http.WebhookRequest;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** By https to whom the name says, or to nobody. */
@Timeout(60)
class TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @Test
    void a_certificate_is_verified_and_has_the_name_of_the_url(@TempDir Path folder) throws Exception {
        KeyStore keys = certificate(folder.resolve("keys.p12"));
        HttpsServer server = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 5);
        server.setHttpsConfigurator(new HttpsConfigurator(serving(keys)));
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        int port = server.getAddress().getPort();
        try (HttpPost trusting = client(trusting(keys));
                HttpPost usual = client(SSLContext.getDefault())) {
            assertEquals(
                    200,
                    assertInstanceOf(Answer.Status.class, trusting.send(request("hooks.example", port)))
                            .code());
            assertEquals("tls", none(trusting.send(request("other.example", port))));
            assertEquals("tls", none(usual.send(request("hooks.example", port))));
        } finally {
            server.stop(0);
        }
    }

    private static String none(Answer answer) {
        return assertInstanceOf(Answer.None.class, answer).kind();
    }

    private static HttpPost client(SSLContext tls) {
        return new HttpPost(
                new AddressGuard(List.of(AddressRange.parse("127.0.0.1"))),
                host -> List.of(InetAddress.getLoopbackAddress()),
                tls);
    }

    private static WebhookRequest request(String host, int port) {
        return new WebhookRequest(
                EndpointUrl.parse("https://" + host + ":" + port + "/", false),
                Map.of(),
                new byte[0],
                Duration.ofSeconds(10));
    }

    private static KeyStore certificate(Path file) throws Exception {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=test",
                        "-ext",
                        "san=dns:hooks.example",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(file.resolveSibling("keytool.log").toFile())
                .start();
        assertEquals(0, keytool.waitFor(), () -> {
            try {
                return Files.readString(file.resolveSibling("keytool.log"));
            } catch (java.io.IOException e) {
                return e.toString();
            }
        });
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    private static SSLContext serving(KeyStore keys) throws Exception {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }

    private static SSLContext trusting(KeyStore keys) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("it", keys.getCertificate("mykey"));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }
}
