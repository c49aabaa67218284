package dev.semel.spring;

import static dev.semel.core.key.Guarantee.JOINED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.core.Attempt;
import dev.semel.core.FailurePolicy;
import dev.semel.http.FailureRules;
import dev.semel.http.tenant.TenantReading;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.message.Message;
import dev.semel.servlet.ServletTenants;
import dev.semel.spring.messaging.OutboxTemplate;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The code of docs/spring.md, run. */
class GuideTest {
    record ChargeRequest(String customer, long cents) {}

    record Charge(String id) {}

    record Order(String id, long cents) {}

    record Receipt(int number) {}

    record Refund(String id) {}

    static class CardDeclined extends RuntimeException {
        private static final long serialVersionUID = 1;

        CardDeclined(String message) {
            super(message);
        }
    }

    static class Bank {
        final ConcurrentLinkedQueue<String> keys = new ConcurrentLinkedQueue<>();

        Charge charge(ChargeRequest request) {
            return new Charge("ch-" + request.cents());
        }

        Refund refund(String chargeId, String key) {
            keys.add(key);
            if (chargeId.equals("declined")) throw new CardDeclined("no");
            return new Refund("re-" + keys.size());
        }
    }

    @RestController
    static class Charges {
        private final Bank bank;

        Charges(Bank bank) {
            this.bank = bank;
        }

        @PostMapping("/charges")
        @Once
        Charge create(@RequestBody ChargeRequest request) {
            return bank.charge(request);
        }
    }

    @Service
    static class Accounts {
        private final JdbcTemplate database;

        Accounts(JdbcTemplate database) {
            this.database = database;
        }

        @Once(key = "#order.id", guarantee = JOINED)
        @Transactional
        public Receipt charge(Order order) {
            Integer number = database.queryForObject(
                    "insert into ledger (what) values (?) returning id", Integer.class, order.id());
            return new Receipt(number);
        }
    }

    @Service
    static class Refunds {
        private final Bank bank;

        Refunds(Bank bank) {
            this.bank = bank;
        }

        @Once(key = "#chargeId", operation = "refund", retention = "7d")
        public Refund refund(String chargeId, Attempt attempt) {
            return bank.refund(chargeId, attempt.downstreamKey("bank"));
        }
    }

    @Service
    static class Orders {
        private final JdbcTemplate database;
        private final OutboxTemplate outbox;
        private final Inbox inbox;

        Orders(JdbcTemplate database, OutboxTemplate outbox, Inbox inbox) {
            this.database = database;
            this.outbox = outbox;
            this.inbox = inbox;
        }

        @Transactional
        public UUID pay(String order) {
            database.update("insert into ledger (what) values (?)", order);
            return outbox.append(
                    Message.of("orders", "order.paid", order.getBytes(UTF_8)).withKey(order));
        }

        @Transactional
        public void on(String messageId, String order) {
            Boolean first = database.execute((Connection c) -> inbox.firstTime(c, "billing", messageId));
            if (Boolean.TRUE.equals(first))
                database.update("insert into ledger (what) values (?)", "bill for " + order);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Charges.class, Accounts.class, Refunds.class, Bank.class, Orders.class})
    static class Beans {
        @Bean
        FailurePolicy failures() {
            return FailurePolicy.ALL_IN_DOUBT.permanent(CardDeclined.class).transients(ConnectException.class);
        }

        @Bean
        FailureRules requestFailures() {
            return FailureRules.ALL_IN_DOUBT.notRun(ConnectException.class);
        }

        @Bean
        ServletTenants tenants() {
            return request -> {
                String merchant = request.getHeader("X-Merchant");
                return merchant == null
                        ? new TenantReading.Unknown("The header X-Merchant is missing.")
                        : new TenantReading.Known("merchant:" + merchant);
            };
        }
    }

    @Test
    void the_guide_does_what_it_says() throws Exception {
        Database database = Database.fresh();
        try (ConfigurableApplicationContext application =
                        Applications.web(List.of("spring.datasource.url=" + database.url()), Beans.class);
                Http http = new Http(application)) {
            String asked = "{\"customer\": \"c-1\", \"cents\": 5}";
            String[] one = {"Idempotency-Key", "0198f6d5-1", "X-Merchant", "m-1"};
            assertEquals("{\"id\":\"ch-5\"}", http.post("/charges", asked, one).body());
            HttpResponse<String> again = http.post("/charges", asked, one);
            assertEquals(
                    "true", again.headers().firstValue("Idempotent-Replayed").orElse("absent"));
            String[] other = {"Idempotency-Key", "0198f6d5-1", "X-Merchant", "m-2"};
            assertEquals(
                    200,
                    http.post("/charges", "{\"customer\": \"c-2\", \"cents\": 6}", other)
                            .statusCode());

            assertEquals(
                    401,
                    http.post("/charges", asked, "Idempotency-Key", "0198f6d5-2")
                            .statusCode());

            Accounts accounts = application.getBean(Accounts.class);
            assertEquals(accounts.charge(new Order("o-1", 5)), accounts.charge(new Order("o-1", 5)));
            assertEquals(1, database.count("ledger"));

            Refunds refunds = application.getBean(Refunds.class);
            assertEquals(refunds.refund("ch-5", null), refunds.refund("ch-5", null));
            for (int i = 0; i < 2; i++) assertThrows(CardDeclined.class, () -> refunds.refund("declined", null));
            assertEquals(2, application.getBean(Bank.class).keys.size());

            Orders orders = application.getBean(Orders.class);
            String message = orders.pay("o-2").toString();
            assertEquals(1, database.count("semel.outbox"));
            for (int i = 0; i < 2; i++) orders.on(message, "o-2");
            assertEquals(1, database.count("ledger where what = 'bill for o-2'"));
        }
    }
}
