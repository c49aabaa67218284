package dev.semel.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import dev.semel.webhook.SigningKey;
import dev.semel.webhook.WebhookScheme;
import dev.semel.webhook.receive.IncomingWebhook;
import dev.semel.webhook.receive.WebhookReceiver;
import dev.semel.webhook.servlet.WebhookServlet;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The bean of docs/webhooks-in.md, in a real application. */
@Timeout(60)
class WebhookBeanTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    @Configuration(proxyBeanMethods = false)
    static class Billing {
        @Bean
        ServletRegistrationBean<WebhookServlet> billingWebhooks(DataSource database) throws SQLException {
            Inbox inbox = Inbox.open(database, new InboxWindow(Duration.ofDays(30)));
            WebhookReceiver receiver = WebhookReceiver.of("billing-provider", scheme(), inbox);
            WebhookServlet servlet = WebhookServlet.handling(receiver, this::book);
            return new ServletRegistrationBean<>(servlet, "/hooks/billing");
        }

        private static WebhookScheme scheme() {
            return new WebhookScheme.Standard(List.of(SigningKey.parse(SECRET)), WebhookScheme.TOLERANCE);
        }

        private void book(Connection transaction, IncomingWebhook webhook) throws SQLException {
            try (PreparedStatement insert = transaction.prepareStatement("insert into ledger (what) values (?)")) {
                insert.setString(1, new String(webhook.body(), UTF_8));
                insert.executeUpdate();
            }
        }
    }

    private static int post(Http http, String id, String signed, String body) throws Exception {
        String time = Long.toString(Instant.now().getEpochSecond());
        String signature = SigningKey.parse(SECRET).sign(WebhookScheme.signed(id, time, signed.getBytes(UTF_8)));
        return http.post(
                        "/hooks/billing",
                        body,
                        "webhook-id",
                        id,
                        "webhook-timestamp",
                        time,
                        "webhook-signature",
                        signature)
                .statusCode();
    }

    @Test
    void a_webhook_takes_effect_once() throws Exception {
        Database database = Database.fresh();
        try (ConfigurableApplicationContext application =
                        Applications.web(List.of("spring.datasource.url=" + database.url()), Billing.class);
                Http http = new Http(application)) {
            for (int i = 0; i < 3; i++) assertEquals(200, post(http, "m1", "{\"paid\":1}", "{\"paid\":1}"));
            assertEquals(401, post(http, "m2", "{\"paid\":1}", "{\"paid\":2}"));
            assertEquals(1, database.count("ledger"));
        } finally {
            database.drop();
        }
    }
}
