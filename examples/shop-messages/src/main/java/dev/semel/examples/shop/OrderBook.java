package dev.semel.examples.shop;

import static dev.semel.core.key.Guarantee.JOINED;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.semel.messaging.message.Message;
import dev.semel.spring.Once;
import dev.semel.spring.messaging.OutboxTemplate;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The row, the key of the order and the message are one commit: all are there, or nothing is. */
@Service
public class OrderBook {
    private final JdbcClient database;
    private final OutboxTemplate outbox;
    private final ObjectMapper json;

    public OrderBook(JdbcClient database, OutboxTemplate outbox, ObjectMapper json) {
        this.database = database;
        this.outbox = outbox;
        this.json = json;
    }

    @Once(key = "#request.order", guarantee = JOINED)
    @Transactional
    public PlacedOrder place(OrderRequest request) {
        long number = database.sql("insert into shop_order (order_id, cents) values (?, ?) returning number")
                .params(request.order(), request.cents())
                .query(Long.class)
                .single();
        UUID message = outbox.append(Message.of("orders", "order.placed", body(request))
                .withKey(request.order())
                .withHeader("content-type", "application/json"));
        return new PlacedOrder(number, request.order(), request.cents(), message.toString());
    }

    private byte[] body(OrderRequest request) {
        try {
            return json.writeValueAsBytes(request);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("The order cannot be written as JSON.", e);
        }
    }
}
