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

    private static final Duration WARM_UP_TIMEOUT = Duration.ofSeconds(10);
    private static final FaultRates ROUGH_NETWORK = FaultRates.rough(Duration.ofSeconds(2));

    /** Long enough for a restart and a probe, and shorter than {@link CtrlC} waits. */
    private static final Duration FINISH_TIMEOUT = Duration.ofSeconds(12);

    /** How long a gateway may take to come back, on a machine that has other things to do. */
    private static final Duration RESTART_TIMEOUT = Duration.ofSeconds(40);

    private Demo() {}

    /**
     * Who takes part.
     *
     * @param service behind the gateway
     * @param twin the same service with nothing in front of it
     */
    public record Participants(DemoGateway gateway, DemoService service, DemoService twin) {}

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
    public static Summary run(Participants participants, Duration duration, long seed, PrintStream out)
            throws IOException {
        try (Viewer viewer = Viewer.of(out, duration)) {
            return run(participants, new Plan(duration, seed, FINISH_TIMEOUT), viewer, out);
        }
    }

    /** @param finishTimeout how long to wait in the end for payments that were begun */
    record Plan(Duration duration, long seed, Duration finishTimeout) {}

    static Summary run(Participants participants, Plan plan, Viewer viewer, PrintStream out) throws IOException {
        long seed = plan.seed();
        warmUp(participants);
        Summary last;
        viewer.begin(Addresses.of(participants));
        try (Side guarded = new Side(
                        participants.gateway().url(), participants.service().ledger(), ROUGH_NETWORK, seed);
                Side bare =
                        new Side(participants.twin().url(), participants.twin().ledger(), ROUGH_NETWORK, seed);
                Incidents incidents = new Incidents(
                        participants.gateway(),
                        List.of(participants.service(), participants.twin()),
                        List.of(guarded, bare),
                        ROUGH_NETWORK)) {
            SummaryCollector collector = new SummaryCollector(guarded, bare, incidents);
            try (Shop shop = Shop.open(List.of(guarded, bare), plan.duration(), seed)) {
                viewer.watch(collector, incidents, plan.duration());
                finish(shop, viewer, collector, incidents, plan.finishTimeout());
            }
            last = collector.atTheEnd();
        }
        viewer.end(last);
        new ClosingReport(last, seed, plan.duration()).print(out);
        return last;
    }

    /** A few patient payments by the good road first: what has just been started is slow, and that is not the network. */
    private static void warmUp(Participants participants) {
        try (ImpatientClient one = new ImpatientClient(participants.gateway().url(), WARM_UP_TIMEOUT, new Tally());
                ImpatientClient other = new ImpatientClient(participants.twin().url(), WARM_UP_TIMEOUT, new Tally())) {
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
    private static void finish(
            Shop shop, Viewer viewer, SummaryCollector collector, Incidents incidents, Duration atMost) {
        try {
            incidents.endAll();
            shop.stopOrders();
            long longest = System.nanoTime() + RESTART_TIMEOUT.toNanos();
            long end = System.nanoTime() + atMost.toNanos();
            while (!shop.awaitPayments(viewer.refreshInterval()) && System.nanoTime() - end < 0) {
                Summary now = collector.now();
                viewer.finishing(now);
                boolean waits = !now.incidents().gatewayUp() && System.nanoTime() - longest < 0;
                if (waits) end = System.nanoTime() + atMost.toNanos();
            }
        } catch (InterruptedException enough) {
            // Then without them.
        }
    }
}
