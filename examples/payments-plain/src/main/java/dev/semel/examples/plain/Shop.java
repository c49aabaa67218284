package dev.semel.examples.plain;

import dev.semel.core.FailurePolicy;
import dev.semel.core.Operation;
import dev.semel.core.Semel;
import dev.semel.json.Json;
import java.math.BigDecimal;
import java.time.Duration;

/** Charges the card of an order once, however often it is asked to. */
public final class Shop {
    /** What is asked of the bank. */
    public record Charge(String card, BigDecimal amount) {}

    /** What the bank gives for it. */
    public record Receipt(String id) {}

    /** The bank's no: final, and the same for every retry. */
    public static final class CardDeclined extends Exception {
        private static final long serialVersionUID = 1;

        public CardDeclined(String message) {
            super(message);
        }
    }

    /** The bank's API. An exception other than {@link CardDeclined} says nothing about what became of the payment. */
    public interface Bank {
        Receipt pay(Charge charge, String idempotencyKey) throws CardDeclined;
    }

    private final Bank bank;
    private final Operation<Receipt> charge;

    public Shop(Semel semel, Bank bank) {
        this.bank = bank;
        // README
        this.charge = semel.operation("charge", Json.codec(Receipt.class))
                .withRetention(Duration.ofDays(7))
                .withFailures(FailurePolicy.ALL_IN_DOUBT.permanent(CardDeclined.class));
        // end
    }

    public Receipt pay(String orderId, Charge request) throws CardDeclined {
        // README
        return charge.once(orderId, request, attempt -> bank.pay(request, attempt.downstreamKey("bank")));
        // end
    }
}
