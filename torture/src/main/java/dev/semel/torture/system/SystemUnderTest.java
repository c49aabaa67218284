package dev.semel.torture.system;

import dev.semel.torture.net.Link;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** All processes of a run, the store below them, and the links between them. */
public record SystemUnderTest(Store store, LedgerProcess ledger, List<GatewayProcess> gateways, List<Link> links)
        implements AutoCloseable {
    private static final Duration RESTART_TIMEOUT = Duration.ofSeconds(60);

    /** Returns when all are ready; those that have ended are started again. */
    public void awaitReady() throws IOException, InterruptedException {
        for (ManagedProcess one : processes()) one.awaitReady(RESTART_TIMEOUT);
    }

    /** Those that others need come first. */
    private List<ManagedProcess> processes() {
        List<ManagedProcess> all = new ArrayList<>();
        if (store.database() != null) all.add(store.database());
        all.add(ledger);
        all.addAll(gateways);
        return all;
    }

    /** Ends all of them, so that nothing more happens: the gateways first. */
    public void end() throws IOException, InterruptedException {
        for (GatewayProcess gateway : gateways) gateway.kill();
        ledger.kill();
        if (store.database() != null) store.database().close();
    }

    @Override
    public void close() throws IOException {
        for (Link link : links) link.close();
    }
}
