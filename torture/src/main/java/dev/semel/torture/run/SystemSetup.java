package dev.semel.torture.run;

import dev.semel.torture.RunClock;
import dev.semel.torture.client.Endpoint;
import dev.semel.torture.client.Routes;
import dev.semel.torture.nemesis.FaultKind;
import dev.semel.torture.nemesis.Requirement;
import dev.semel.torture.net.Link;
import dev.semel.torture.system.GatewayProcess;
import dev.semel.torture.system.GatewayProgram;
import dev.semel.torture.system.LedgerProcess;
import dev.semel.torture.system.RunCleanup;
import dev.semel.torture.system.Store;
import dev.semel.torture.system.SystemUnderTest;
import dev.semel.torture.system.WallClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts the system under test: every gateway behind a link to the clients, with a link of its own to the service behind and to
 * the database.
 */
final class SystemSetup {
    private final Options options;
    private final GatewayProgram program;
    private final Path folder;
    private final RunCleanup cleanup;
    private final List<Link> links = new ArrayList<>();
    private final List<Endpoint> endpoints = new ArrayList<>();

    SystemSetup(Options options, GatewayProgram program, Path folder, RunCleanup cleanup) {
        this.options = options;
        this.program = program;
        this.folder = folder;
        this.cleanup = cleanup;
    }

    /** Returns when all do their work. */
    SystemUnderTest start(RunClock clock) throws IOException, InterruptedException {
        LedgerProcess ledger = new LedgerProcess(cleanup, folder, clock, options.slowPercent());
        ledger.start();
        Store store = store();
        List<GatewayProcess> gateways = new ArrayList<>();
        for (int i = 1; i <= options.gateways(); i++) gateways.add(gateway("gateway-" + i, store, ledger));
        SystemUnderTest system = new SystemUnderTest(store, ledger, gateways, List.copyOf(links));
        // One after another: the first makes the tables.
        for (GatewayProcess gateway : gateways) gateway.start();
        system.awaitReady();
        return system;
    }

    private Store store() throws IOException, InterruptedException {
        boolean ownDisk = options.faults().stream().map(FaultKind::requirement).anyMatch(Requirement.OWN_DISK::equals);
        if (options.ownRocks())
            return Store.rocks(cleanup, folder, options.store().substring(Options.ROCKSDB.length()), ownDisk);
        if (options.ownPostgres()) return Store.postgres(cleanup, folder, ownDisk);
        return Store.given(options.store());
    }

    private GatewayProcess gateway(String name, Store store, LedgerProcess ledger) throws IOException {
        WallClock wallClock =
                options.faults().contains(FaultKind.CLOCK) ? new WallClock(folder.resolve(name + ".clock")) : null;
        GatewayProcess gateway = new GatewayProcess(cleanup, program, folder, name, wallClock);
        Link clients = link("clients-" + name, gateway.address());
        Link upstream = link(name + "-ledger", ledger.address());
        InetSocketAddress database = store.address();
        String url = database == null
                ? store.url()
                : store.over(link(name + "-store", database).port());
        gateway.configure(Routes.yaml(url, upstream.port()));
        endpoints.add(new Endpoint(name, new InetSocketAddress(InetAddress.getLoopbackAddress(), clients.port())));
        return gateway;
    }

    private Link link(String name, InetSocketAddress there) throws IOException {
        Link link = Link.open(name, there);
        links.add(link);
        return link;
    }

    /** Where clients connect. */
    List<Endpoint> endpoints() {
        return List.copyOf(endpoints);
    }
}
