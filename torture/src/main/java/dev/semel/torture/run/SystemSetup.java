package dev.semel.torture.run;

import dev.semel.torture.RunClock;
import dev.semel.torture.cast.Cast;
import dev.semel.torture.cast.Gateway;
import dev.semel.torture.cast.GatewayProgram;
import dev.semel.torture.cast.Ledger;
import dev.semel.torture.cast.Store;
import dev.semel.torture.cast.Undertaker;
import dev.semel.torture.cast.WallClock;
import dev.semel.torture.client.Door;
import dev.semel.torture.client.Routes;
import dev.semel.torture.nemesis.FaultKind;
import dev.semel.torture.nemesis.Needs;
import dev.semel.torture.net.Link;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts the cast together: every gateway behind a link to the clients, with a link of its own to the service behind and to
 * the database.
 */
final class Stage {
    private final Options options;
    private final GatewayProgram program;
    private final Path folder;
    private final Undertaker undertaker;
    private final List<Link> links = new ArrayList<>();
    private final List<Door> doors = new ArrayList<>();

    Stage(Options options, GatewayProgram program, Path folder, Undertaker undertaker) {
        this.options = options;
        this.program = program;
        this.folder = folder;
        this.undertaker = undertaker;
    }

    /** Returns when all do their work. */
    Cast set(RunClock clock) throws IOException, InterruptedException {
        Ledger ledger = new Ledger(undertaker, folder, clock, options.slowAnswers());
        ledger.start();
        Store store = store();
        List<Gateway> gateways = new ArrayList<>();
        for (int i = 1; i <= options.gateways(); i++) gateways.add(gateway("gateway-" + i, store, ledger));
        Cast cast = new Cast(store, ledger, gateways, List.copyOf(links));
        // One after another: the first makes the tables.
        for (Gateway gateway : gateways) gateway.start();
        cast.awaitWell();
        return cast;
    }

    private Store store() throws IOException, InterruptedException {
        boolean ownDisk = options.faults().stream().map(FaultKind::needs).anyMatch(Needs.OWN_DISK::equals);
        if (options.ownRocks())
            return Store.rocks(undertaker, folder, options.store().substring(Options.ROCKSDB.length()), ownDisk);
        if (options.ownPostgres()) return Store.postgres(undertaker, folder, ownDisk);
        return Store.given(options.store());
    }

    private Gateway gateway(String name, Store store, Ledger ledger) throws IOException {
        WallClock wallClock =
                options.faults().contains(FaultKind.CLOCK) ? new WallClock(folder.resolve(name + ".clock")) : null;
        Gateway gateway = new Gateway(undertaker, program, folder, name, wallClock);
        Link clients = link("clients-" + name, gateway.address());
        Link upstream = link(name + "-ledger", ledger.address());
        InetSocketAddress database = store.address();
        String url = database == null
                ? store.url()
                : store.over(link(name + "-store", database).port());
        gateway.configure(Routes.yaml(url, upstream.port()));
        doors.add(new Door(name, new InetSocketAddress(InetAddress.getLoopbackAddress(), clients.port())));
        return gateway;
    }

    private Link link(String name, InetSocketAddress there) throws IOException {
        Link link = Link.open(name, there);
        links.add(link);
        return link;
    }

    /** Where clients knock. */
    List<Door> doors() {
        return List.copyOf(doors);
    }
}
