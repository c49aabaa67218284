package dev.semel.broker.nats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.testkit.nats.NatsServer;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NatsTlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    Path folder;

    @Test
    void a_certificate_that_is_trusted_but_of_another_host_is_refused() throws Exception {
        KeyStore own = keys("own", "ip:127.0.0.1");
        KeyStore others = keys("others", "dns:elsewhere.example");
        SSLContext before = SSLContext.getDefault();
        SSLContext.setDefault(trusting(own, others));
        try (NatsServer right = server("own");
                NatsServer wrong = server("others")) {
            try (Publisher publisher = broker("tls", right).open(new ShardLease(1, 1))) {
                assertEquals(List.of(), publisher.publish(List.of()));
            }
            assertThrows(BrokerException.class, () -> broker("tls", wrong).open(new ShardLease(1, 1)));
            assertThrows(
                    BrokerException.class,
                    () -> broker("nats", right).open(new ShardLease(1, 1)),
                    "a server that wants TLS");
            SSLContext.setDefault(before);
            assertThrows(
                    BrokerException.class,
                    () -> broker("tls", right).open(new ShardLease(1, 1)),
                    "a certificate that nobody trusts");
        } finally {
            SSLContext.setDefault(before);
        }
    }

    private static NatsBroker broker(String scheme, NatsServer server) {
        return NatsBroker.open(scheme + "://127.0.0.1:" + server.port(), "/test");
    }

    private NatsServer server(String name) {
        return NatsServer.start(
                folder.resolve(name), """
                    tls { cert_file: "%s", key_file: "%s" }
                    """.formatted(folder.resolve(name + ".crt"), folder.resolve(name + ".key")));
    }

    /** A key and its certificate, also as files such as NATS reads them. */
    private KeyStore keys(String name, String host) throws Exception {
        Path file = folder.resolve(name + ".p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=" + host,
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .inheritIO()
                .start();
        assertEquals(0, process.waitFor());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        write(name + ".crt", "CERTIFICATE", keys.getCertificate(name).getEncoded());
        write(name + ".key", "PRIVATE KEY", keys.getKey(name, PASSWORD).getEncoded());
        return keys;
    }

    private void write(String name, String what, byte[] content) throws Exception {
        String base64 = Base64.getMimeEncoder(64, "\n".getBytes()).encodeToString(content);
        Files.writeString(
                folder.resolve(name), "-----BEGIN " + what + "-----\n" + base64 + "\n-----END " + what + "-----\n");
    }

    private static SSLContext trusting(KeyStore... stores) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        for (KeyStore each : stores) {
            String name = each.aliases().nextElement();
            trusted.setCertificateEntry(name, each.getCertificate(name));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
