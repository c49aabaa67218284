package dev.semel.examples.spring;

import static dev.semel.core.key.Guarantee.AT_LEAST_ONCE;

import dev.semel.spring.Once;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Charges over HTTP. A client that repeats its {@code Idempotency-Key} gets the answer that it had, byte for byte. What it does is
 * safe to run again, for the ledger takes each order once: so a request that was cut off by a crash is not in doubt, but runs
 * again when its lease is over.
 */
@RestController
public class ChargesController {
    private final ChargeLedger ledger;

    public ChargesController(ChargeLedger ledger) {
        this.ledger = ledger;
    }

    @PostMapping("/v1/charges")
    @Once(required = true, guarantee = AT_LEAST_ONCE, lease = "3s")
    public Charge create(@RequestBody ChargeRequest request) {
        return ledger.charge(request);
    }
}
