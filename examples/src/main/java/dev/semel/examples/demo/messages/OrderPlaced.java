package dev.semel.examples.demo.messages;

import java.util.SplittableRandom;

/** What a customer orders: one line of text between the demo and a shop. */
record OrderPlaced(String id, long cents) {
    static OrderPlaced next(int number, SplittableRandom random) {
        return new OrderPlaced("order-" + number, random.nextLong(500, 20_000));
    }

    static OrderPlaced parse(String line) {
        String[] parts = line.split(" ", 2);
        return new OrderPlaced(parts[0], Long.parseLong(parts[1]));
    }

    String line() {
        return id + " " + cents;
    }
}
