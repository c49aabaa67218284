package dev.semel.examples.demo;

import dev.semel.examples.payments.Ledger;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/** One of the two worlds: a bad network, the customers who pay over it, and the ledger of the service at its end. */
final class Side implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final BadNetwork network;
    private final ImpatientClient client;
    private final Tally tally = new Tally();
    private final Ledger ledger;
    private final Audit audit;

    /** @param entrance where the network leads: the gateway, or the payment service itself */
    Side(URI entrance, Ledger ledger, FaultRates faultRates, long seed) throws IOException {
        this.network = BadNetwork.inFrontOf(entrance, faultRates, seed);
        this.client = new ImpatientClient(network.url(), TIMEOUT, tally);
        this.ledger = ledger;
        this.audit = new Audit(ledger, tally.wanted);
    }

    Customer customer(Order order) {
        return new Customer(order, client, tally);
    }

    BadNetwork network() {
        return network;
    }

    SideCount now() {
        return count(0);
    }

    /** Looks up every payment that was answered with success: its charge was made before it was answered. */
    SideCount atTheEnd() {
        return count(
                tally.paid.stream().filter(key -> ledger.withKey(key).isEmpty()).count());
    }

    private SideCount count(long missing) {
        Audit.Finding found = audit.now();
        long wanted = tally.wanted.size();
        long refused = tally.refused.sum();
        return new SideCount(
                wanted,
                tally.requests.sum(),
                network.traffic().answersLost(),
                network.traffic().requestsCut(),
                tally.timeOuts.sum(),
                tally.replays.sum() + tally.conflicts.sum(),
                found.charges(),
                found.doubles(),
                found.payers(),
                found.cents(),
                refused,
                Math.max(0, wanted - refused - tally.paid.size()),
                missing);
    }

    @Override
    public void close() throws IOException {
        client.close();
        network.close();
    }
}
