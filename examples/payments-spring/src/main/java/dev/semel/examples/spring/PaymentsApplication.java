package dev.semel.examples.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Needs a PostgreSQL: {@code --spring.datasource.url=jdbc:postgresql://…}. Its tables are made when it starts. */
@SpringBootApplication
public class PaymentsApplication {
    public static void main(String[] args) {
        SpringApplication.run(PaymentsApplication.class, args);
    }
}
