package dev.semel.examples.demo;

import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * One thing a customer wants to pay for, once.
 *
 * @param key the same for every attempt
 * @param amount in cents
 */
record Payment(String key, long amount, String customer) {
    static Payment of(String customer, RandomGenerator random) {
        return new Payment(new UUID(random.nextLong(), random.nextLong()).toString(), amount(random), customer);
    }

    /** From one euro to forty; the amount that is always declined (4002) is more. */
    private static int amount(RandomGenerator random) {
        return 100 + random.nextInt(3900);
    }

    String json() {
        return "{\"amount\":%d,\"currency\":\"eur\",\"customer\":\"%s\"}".formatted(amount, customer);
    }
}
