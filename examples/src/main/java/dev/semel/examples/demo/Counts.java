package dev.semel.examples.demo;

import dev.semel.examples.payments.Ledger;
import java.time.Duration;

/** Puts together what the shoppers, the network and the ledger say, counted from the moment it was made. */
final class Counts {
    private final int shoppers;
    private final Tally tally;
    private final Traffic traffic;
    private final Ledger ledger;
    private final long startNanos = System.nanoTime();
    private final long chargesBefore;
    private final long doublesBefore;

    Counts(int shoppers, Tally tally, Traffic traffic, Ledger ledger) {
        this.shoppers = shoppers;
        this.tally = tally;
        this.traffic = traffic;
        this.ledger = ledger;
        this.chargesBefore = ledger.size();
        this.doublesBefore = ledger.repeats();
    }

    Summary now() {
        return with(0);
    }

    /** Looks up every payment that was answered with success. */
    Summary atTheEnd() {
        return with(
                tally.paid.stream().filter(key -> ledger.withKey(key).isEmpty()).count());
    }

    private Summary with(long missing) {
        long refused = tally.refused.sum();
        long payments = tally.paid.size() + refused;
        long started = tally.started.sum();
        long requests = tally.requests.sum();
        return new Summary(
                Duration.ofNanos(System.nanoTime() - startNanos),
                shoppers,
                payments,
                Math.max(0, started - payments),
                refused,
                requests,
                Math.max(0, requests - started),
                traffic.answersLost(),
                traffic.requestsCut(),
                tally.timeOuts.sum(),
                tally.replays.sum() + tally.conflicts.sum(),
                ledger.size() - chargesBefore,
                traffic.repeats(),
                ledger.repeats() - doublesBefore,
                missing);
    }
}
