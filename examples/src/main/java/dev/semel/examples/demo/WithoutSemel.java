package dev.semel.examples.demo;

import dev.semel.examples.payments.Ledger;
import dev.semel.examples.payments.PaymentService;
import java.io.IOException;
import java.time.Duration;

/** The same shoppers and the same network, but nothing in front of the payment service: customers pay twice. */
public final class WithoutSemel {
    private WithoutSemel() {}

    /** Takes the seconds to run, if any; runs until Ctrl-C otherwise. */
    public static void main(String[] args) throws IOException {
        Duration duration = args.length == 0 ? Demo.UNTIL_INTERRUPTED : Duration.ofSeconds(Long.parseLong(args[0]));
        CtrlC.interrupts(() -> run(duration));
    }

    private static Summary run(Duration duration) throws IOException {
        try (Ledger ledger = Ledger.inMemory();
                PaymentService service = PaymentService.start(0, ledger)) {
            return Demo.run(service.url(), ledger, duration, System.nanoTime(), System.out);
        }
    }
}
