package dev.semel.torture.cast;

import dev.semel.torture.net.Link;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Everybody who takes part, and the links between them. */
public record Cast(Store store, Ledger ledger, List<Gateway> gateways, List<Link> links) implements AutoCloseable {
    private static final Duration COMING_BACK = Duration.ofSeconds(60);

    /** Returns when all do their work; those that have ended are started again. */
    public void awaitWell() throws IOException, InterruptedException {
        for (Mortal one : mortals()) one.awaitWell(COMING_BACK);
    }

    /** Those that others need come first. */
    private List<Mortal> mortals() {
        List<Mortal> all = new ArrayList<>();
        if (store.database() != null) all.add(store.database());
        all.add(ledger);
        all.addAll(gateways);
        return all;
    }

    /** Ends all of them, so that nothing more happens: the gateways first. */
    public void end() throws IOException, InterruptedException {
        for (Gateway gateway : gateways) gateway.kill();
        ledger.kill();
        if (store.database() != null) store.database().close();
    }

    @Override
    public void close() throws IOException {
        for (Link link : links) link.close();
    }
}
