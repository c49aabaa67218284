package dev.semel.examples.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Customers pay over a network that loses answers, and do everything twice: once through a gateway, once without one. The
 * payments, the retries, the network and the payment service are the same on both sides; the ledgers of the two services
 * tell what that did to the customers' money.
 */
public final class Demo {
    /** As a duration: run until the thread is interrupted. */
    public static final Duration UNTIL_INTERRUPTED = Duration.ofDays(36_500);

    /** Payments before the demo begins; they are in the ledgers and in no count. */
    static final int FIRST_PAYMENTS = 5;

    private static final Duration A_LONG_TIME = Duration.ofSeconds(10);
    private static final Weather STORM = Weather.storm(Duration.ofSeconds(2));

    /** Long enough for a restart and a probe, and shorter than {@link CtrlC} waits. */
    private static final Duration LAST_ORDERS = Duration.ofSeconds(12);

    /** How long a gateway may take to come back, on a machine that has other things to do. */
    private static final Duration RESTART = Duration.ofSeconds(40);

    private Demo() {}

    /**
     * Who takes part.
     *
     * @param service behind the gateway
     * @param twin the same service with nothing in front of it
     */
    public record Cast(DemoGateway gateway, DemoService service, DemoService twin) {}

    /**
     * Runs the demo, shows it, and prints how it ended. At the end the network heals, and the payments that were begun
     * are brought to their end. No thread and no connection is left when it returns.
     *
     * <p>An interrupt ends the demo early and is used up by that: the summary is printed and returned as usual. A
     * second one while the last payments are finished leaves them unfinished. {@link CtrlC} turns Ctrl-C into an
     * interrupt.
     *
     * @param seed of the orders, and of what the network does to them
     * @param out redrawn in place when it is {@code System.out} and a terminal, and the keys of the viewer are read then
     */
    public static Summary run(Cast cast, Duration duration, long seed, PrintStream out) throws IOException {
        try (Viewer viewer = Viewer.of(out, duration)) {
            return run(cast, new Plan(duration, seed, LAST_ORDERS), viewer, out);
        }
    }

    /** @param lastOrders how long to wait in the end for payments that were begun */
    record Plan(Duration duration, long seed, Duration lastOrders) {}

    static Summary run(Cast cast, Plan plan, Viewer viewer, PrintStream out) throws IOException {
        long seed = plan.seed();
        openTheRoad(cast);
        Summary last;
        viewer.begin(Places.of(cast));
        try (Side guarded = new Side(cast.gateway().url(), cast.service().ledger(), STORM, seed);
                Side bare = new Side(cast.twin().url(), cast.twin().ledger(), STORM, seed);
                Incidents incidents = new Incidents(
                        cast.gateway(), List.of(cast.service(), cast.twin()), List.of(guarded, bare), STORM)) {
            Stand stand = new Stand(guarded, bare, incidents);
            try (Shop shop = Shop.open(List.of(guarded, bare), plan.duration(), seed)) {
                viewer.watch(stand, incidents, plan.duration());
                finish(shop, viewer, stand, incidents, plan.lastOrders());
            }
            last = stand.atTheEnd();
        }
        viewer.end(last);
        new Verdict(last, seed, plan.duration()).print(out);
        return last;
    }

    /** A few patient payments by the good road first: what has just been started is slow, and that is not the network. */
    private static void openTheRoad(Cast cast) {
        try (ImpatientClient one = new ImpatientClient(cast.gateway().url(), A_LONG_TIME, new Tally());
                ImpatientClient other = new ImpatientClient(cast.twin().url(), A_LONG_TIME, new Tally())) {
            for (int i = 0; i < FIRST_PAYMENTS; i++) {
                Payment payment = Payment.of("first-customer", new SplittableRandom(System.nanoTime()));
                one.send(payment);
                other.send(payment);
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    /** The time begins when the gateway is back, if it was killed just now. */
    private static void finish(Shop shop, Viewer viewer, Stand stand, Incidents incidents, Duration atMost) {
        try {
            incidents.endAll();
            shop.lastOrders();
            long longest = System.nanoTime() + RESTART.toNanos();
            long end = System.nanoTime() + atMost.toNanos();
            while (!shop.awaitPayments(viewer.pace()) && System.nanoTime() - end < 0) {
                Summary now = stand.now();
                viewer.finishing(now);
                boolean waits = !now.incidents().gatewayUp() && System.nanoTime() - longest < 0;
                if (waits) end = System.nanoTime() + atMost.toNanos();
            }
        } catch (InterruptedException enough) {
            // Then without them.
        }
    }
}
