package dev.semel.examples.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Takes orders over HTTP, behind a gateway that guards their keys. Needs a PostgreSQL: {@code --spring.datasource.url=…}. A relay beside
 * it sends what it tells of; with {@code --semel.relay.broker=kafka://…} and the dependency for Kafka it would do so itself.
 */
@SpringBootApplication
public class ShopApplication {
    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }
}
