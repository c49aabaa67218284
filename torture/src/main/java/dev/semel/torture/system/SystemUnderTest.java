package dev.semel.torture.system;

import dev.semel.torture.net.Link;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** All processes of a run, the store below them, and the links between them. */
public record SystemUnderTest(
        Store store,
        LedgerProcess ledger,
        List<GatewayProcess> gateways,
        List<LibraryProcess> libraries,
        List<Link> links)
        implements AutoCloseable {
    private static final Duration RESTART_TIMEOUT = Duration.ofSeconds(60);

    /** Returns when all are ready; those that have ended are started again. */
    public void awaitReady() throws IOException, InterruptedException {
        for (ManagedProcess one : processes()) one.awaitReady(RESTART_TIMEOUT);
    }

    /** Those that others need come first. */
    private List<ManagedProcess> processes() {
        List<ManagedProcess> all = new ArrayList<>();
        all.addAll(store.servers());
        all.add(ledger);
        all.addAll(gateways);
        all.addAll(libraries);
        return all;
    }

    /** Ends all that act, so that nothing more happens: those who ask first. The database stays, to be asked. */
    public void endActing() throws IOException, InterruptedException {
        for (GatewayProcess gateway : gateways) gateway.kill();
        for (LibraryProcess library : libraries) library.kill();
        ledger.kill();
    }

    public void endStore() {
        store.end();
    }

    @Override
    public void close() throws IOException {
        for (Link link : links) link.close();
    }
}
