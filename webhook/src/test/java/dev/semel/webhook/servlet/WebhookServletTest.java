package dev.semel.webhook.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import dev.semel.testkit.postgres.PostgresServer;
import dev.semel.webhook.SigningKey;
import dev.semel.webhook.WebhookScheme;
import dev.semel.webhook.receive.Receipt;
import dev.semel.webhook.receive.WebhookReceiver;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** In Tomcat, on a real database. Holds the code of docs/webhooks-in.md. */
@Timeout(60)
class WebhookServletTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    @TempDir
    Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<String> booked = new ArrayList<>();
    private int port;

    private WebhookReceiver receiver(Inbox inbox, String secret) {
        WebhookScheme scheme = new WebhookScheme.Standard(List.of(SigningKey.parse(secret)), WebhookScheme.TOLERANCE);
        WebhookReceiver receiver = WebhookReceiver.of("billing-provider", scheme, inbox);
        return receiver;
    }

    private Receipt byHand(WebhookReceiver receiver, Function<String, String> header, byte[] body) {
        Receipt receipt = receiver.handle(header, body, (transaction, webhook) -> book(transaction, webhook.body()));
        return receipt;
    }

    private void book(Connection transaction, byte[] body) throws SQLException {
        if (new String(body, UTF_8).contains("\"fails\"")) throw new SQLException("no such customer");
        booked.add(new String(body, UTF_8));
        try (PreparedStatement statement = transaction.prepareStatement("select 1")) {
            statement.execute();
        }
    }

    private static Map<String, String> headers(String id, String body) {
        String time = Long.toString(Instant.now().getEpochSecond());
        String signature = SigningKey.parse(SECRET).sign(WebhookScheme.signed(id, time, body.getBytes(UTF_8)));
        return new HashMap<>(Map.of("webhook-id", id, "webhook-timestamp", time, "webhook-signature", signature));
    }

    private HttpResponse<String> post(Map<String, String> headers, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/hooks/billing"))
                .POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void a_sender_is_told_what_became_of_its_webhook() throws Exception {
        try (PostgresServer server = PostgresServer.startFromClassPath(folder.resolve("pg"), "fsync=off")) {
            PGSimpleDataSource database = new PGSimpleDataSource();
            database.setUrl(server.jdbcUrl());
            Inbox inbox = Inbox.open(database, new InboxWindow(Duration.ofDays(30)));
            WebhookReceiver receiver = receiver(inbox, SECRET);
            Tomcat tomcat = tomcat(
                    WebhookServlet.handling(receiver, (transaction, webhook) -> book(transaction, webhook.body())));
            try {
                String body = "{\"paid\": \"19,99 €\"}";
                assertEquals(200, post(headers("m1", body), body).statusCode());
                assertEquals(200, post(headers("m1", body), body).statusCode());
                assertEquals(List.of(body), booked);
                HttpResponse<String> refused = post(headers("m2", body), body + " ");
                assertEquals(401, refused.statusCode());
                assertTrue(refused.body().contains("urn:semel:problem:webhook-rejected"), refused.body());
                HttpResponse<String> failed = post(headers("m3", "{\"fails\":1}"), "{\"fails\":1}");
                assertEquals(500, failed.statusCode());
                assertEquals("5", failed.headers().firstValue("Retry-After").orElse(""));
                String large = "x".repeat(receiver.largest() + 1);
                assertEquals(413, post(headers("m4", large), large).statusCode());
                Map<String, String> compressed = headers("m5", body);
                compressed.put("Content-Encoding", "gzip");
                assertEquals(415, post(compressed, body).statusCode());
                assertEquals(
                        405,
                        http.send(
                                        HttpRequest.newBuilder(
                                                        URI.create("http://127.0.0.1:" + port + "/hooks/billing"))
                                                .build(),
                                        HttpResponse.BodyHandlers.discarding())
                                .statusCode());
                assertEquals(
                        new Receipt.Taken("m6", true),
                        byHand(receiver, headers("m6", "{}")::get, "{}".getBytes(UTF_8)));
                assertEquals(List.of(body, "{}"), booked);
                server.kill9();
                assertEquals(503, post(headers("m7", body), body).statusCode());
            } finally {
                tomcat.stop();
                tomcat.destroy();
            }
        }
    }

    private Tomcat tomcat(WebhookServlet servlet) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(0);
        var context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "billing", servlet);
        context.addServletMappingDecoded("/hooks/billing", "billing");
        tomcat.getConnector();
        tomcat.start();
        port = tomcat.getConnector().getLocalPort();
        return tomcat;
    }
}
