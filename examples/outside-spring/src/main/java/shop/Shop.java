package shop;

import static dev.semel.core.key.Guarantee.JOINED;

import dev.semel.spring.Once;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Orders are placed over HTTP and charged in the database: each once. */
@SpringBootApplication
public class Shop {
    public record Order(String id, long cents) {}

    public record Receipt(long number) {}

    public static void main(String[] args) {
        SpringApplication.run(Shop.class, args);
    }

    @RestController
    public static class Orders {
        private final Accounts accounts;

        public Orders(Accounts accounts) {
            this.accounts = accounts;
        }

        @PostMapping("/orders")
        @Once
        public Receipt place(@RequestBody Order order) {
            return accounts.charge(order);
        }
    }

    @Service
    public static class Accounts {
        private final JdbcTemplate database;

        public Accounts(JdbcTemplate database) {
            this.database = database;
        }

        @Once(key = "#order.id", guarantee = JOINED)
        @Transactional
        public Receipt charge(Order order) {
            Long number = database.queryForObject(
                    "insert into charge (order_id, cents) values (?, ?) returning number",
                    Long.class,
                    order.id(),
                    order.cents());
            return new Receipt(number);
        }
    }
}
