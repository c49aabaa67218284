package dev.semel.examples.demo;

import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * One thing a shopper wants to pay for, once.
 *
 * @param key the same for every attempt; never drawn from the seed, for a key must be new in the store of the gateway
 */
record Payment(String key, long amount, String customer) {
    static Payment of(String customer, RandomGenerator random) {
        return new Payment(UUID.randomUUID().toString(), 100 + random.nextInt(3900), customer);
    }

    String json() {
        return "{\"amount\":%d,\"currency\":\"eur\",\"customer\":\"%s\"}".formatted(amount, customer);
    }
}
