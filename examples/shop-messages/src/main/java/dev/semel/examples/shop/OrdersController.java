package dev.semel.examples.shop;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Orders over HTTP. The gateway in front knows the keys of requests; that each order is placed once is the book's affair. */
@RestController
public class OrdersController {
    private final OrderBook book;

    public OrdersController(OrderBook book) {
        this.book = book;
    }

    @PostMapping("/v1/orders")
    public PlacedOrder create(@RequestBody OrderRequest request) {
        return book.place(request);
    }
}
