package dev.semel.examples.spring;

import static dev.semel.core.key.Guarantee.JOINED;

import dev.semel.spring.Once;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Who has paid what. The row and the key of its order are one commit: there is one row for an order, or none. */
@Service
public class ChargeLedger {
    private final JdbcClient database;

    public ChargeLedger(JdbcClient database) {
        this.database = database;
    }

    @Once(key = "#request.order", guarantee = JOINED)
    @Transactional
    public Charge charge(ChargeRequest request) {
        long number = database.sql("insert into charge (order_id, cents) values (?, ?) returning number")
                .params(request.order(), request.cents())
                .query(Long.class)
                .single();
        return new Charge(number, request.order(), request.cents());
    }
}
