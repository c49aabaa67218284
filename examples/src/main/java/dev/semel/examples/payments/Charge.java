package dev.semel.examples.payments;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Money taken from a customer, once.
 *
 * @param amount in the smallest unit of the currency, for example cents
 * @param idempotencyKey the key that came with the request, if any; the service writes it down and does nothing else
 *     with it
 */
public record Charge(
        String id,
        long amount,
        String currency,
        String customer,
        @Nullable String idempotencyKey,
        Instant created) {}
