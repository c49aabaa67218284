package dev.semel.examples.demo;

import dev.semel.examples.payments.Ledger;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.Random;

/**
 * Shoppers who pay over a network that loses answers, and a scoreboard that counts what it did to their money. It runs
 * against a gateway in front of the sample payment service, or against the bare service to see what happens without.
 */
public final class Demo {
    /** As a duration: run until the thread is interrupted. */
    public static final Duration UNTIL_INTERRUPTED = Duration.ofDays(36_500);

    /** Payments before the demo begins; they are in the ledger and not in the summary. */
    static final int FIRST_PAYMENTS = 5;

    private static final Duration A_LONG_TIME = Duration.ofSeconds(10);
    private static final int SHOPPERS = 12;
    private static final Duration PATIENCE = Duration.ofMillis(600);
    private static final Duration LATENESS = Duration.ofMillis(1500);
    private static final Duration LAST_ORDERS = Duration.ofMillis(2500);

    private Demo() {}

    /**
     * Runs the demo, shows it, and prints how it ended. At the end the network heals, and the payments that were begun
     * are brought to their end. No thread and no connection is left when it returns.
     *
     * <p>An interrupt ends the demo early and is used up by that: the summary is printed and returned as usual. A
     * second one while the last payments are finished leaves them unfinished. {@link CtrlC} turns Ctrl-C into an
     * interrupt.
     *
     * @param gateway where the shoppers want to go, for example {@code http://127.0.0.1:8080}
     * @param ledger of the payment service behind; what it holds already is not counted
     * @param seed of what the network and the shoppers do; the keys are always new
     * @param out redrawn in place when it is {@code System.out} and a terminal
     */
    public static Summary run(URI gateway, Ledger ledger, Duration duration, long seed, PrintStream out)
            throws IOException {
        Scoreboard scoreboard = Scoreboard.on(out);
        openTheRoad(gateway);
        scoreboard.begin();
        Summary last;
        try (BadNetwork network = BadNetwork.inFrontOf(gateway, Weather.storm(LATENESS), seed)) {
            Tally tally = new Tally();
            Counts counts = new Counts(SHOPPERS, tally, network.traffic(), ledger);
            try (ImpatientClient client = new ImpatientClient(network.url(), PATIENCE, tally);
                    Shop shop = Shop.open(SHOPPERS, client, tally, seed)) {
                watch(scoreboard, counts, duration);
                network.calmDown();
                shop.lastOrders(LAST_ORDERS);
            }
            last = counts.atTheEnd();
        }
        scoreboard.end(last);
        new Verdict(last, seed).print(out);
        return last;
    }

    /** A few patient payments by the good road first: a gateway that has just been started is slow, not the network. */
    private static void openTheRoad(URI gateway) {
        try (ImpatientClient client = new ImpatientClient(gateway, A_LONG_TIME, new Tally())) {
            for (int i = 0; i < FIRST_PAYMENTS; i++) client.send(Payment.of("first-customer", new Random(i)));
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    private static void watch(Scoreboard scoreboard, Counts counts, Duration duration) {
        long paceNanos = scoreboard.pace().toNanos();
        long end = System.nanoTime() + duration.toNanos();
        try {
            for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
                scoreboard.show(counts.now());
                Thread.sleep(Duration.ofNanos(Math.min(left, paceNanos)));
            }
        } catch (InterruptedException enough) {
            // The way to end the demo.
        }
    }
}
