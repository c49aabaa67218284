package dev.semel.torture.run;

import dev.semel.torture.RunClock;
import dev.semel.torture.client.Door;
import dev.semel.torture.client.Endpoint;
import dev.semel.torture.client.Routes;
import dev.semel.torture.history.Event;
import dev.semel.torture.ledger.LedgerFile;
import dev.semel.torture.library.JoinedLedger;
import dev.semel.torture.nemesis.FaultKind;
import dev.semel.torture.nemesis.Requirement;
import dev.semel.torture.net.Link;
import dev.semel.torture.system.GatewayProcess;
import dev.semel.torture.system.LedgerProcess;
import dev.semel.torture.system.LibraryProcess;
import dev.semel.torture.system.Programs;
import dev.semel.torture.system.RunCleanup;
import dev.semel.torture.system.ServersProgram;
import dev.semel.torture.system.Store;
import dev.semel.torture.system.StoreKind;
import dev.semel.torture.system.SystemUnderTest;
import dev.semel.torture.system.WallClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts the system under test: every gateway, and every service with the library, behind a link to the clients, with a link of its own to the service behind and to
 * the database.
 */
final class SystemSetup {
    private final Options options;
    private final Programs programs;
    private final Path folder;
    private final RunCleanup cleanup;
    private final List<Link> links = new ArrayList<>();
    private final List<Endpoint> endpoints = new ArrayList<>();

    /** The table of those who join, with a name that no run which began at another time has. */
    private final JoinedLedger joined = new JoinedLedger("semel_torture_" + System.currentTimeMillis());

    SystemSetup(Options options, Programs programs, Path folder, RunCleanup cleanup) {
        this.options = options;
        this.programs = programs;
        this.folder = folder;
        this.cleanup = cleanup;
    }

    /** Returns when all do their work. */
    SystemUnderTest start(RunClock clock) throws IOException, InterruptedException {
        LedgerProcess ledger = new LedgerProcess(cleanup, folder, clock, options.slowPercent());
        ledger.start();
        Store store = store();
        List<GatewayProcess> gateways = new ArrayList<>();
        List<LibraryProcess> libraries = new ArrayList<>();
        if (options.doors().contains(Door.GATEWAY))
            for (int i = 1; i <= options.gateways(); i++) gateways.add(gateway("gateway-" + i, store, ledger));
        if (options.doors().contains(Door.LIBRARY)) {
            makeJoinedLedger(store);
            for (int i = 1; i <= options.libraries(); i++) libraries.add(library("library-" + i, store, ledger, clock));
        }
        SystemUnderTest system = new SystemUnderTest(store, ledger, gateways, libraries, List.copyOf(links));
        // One after another: the first makes the tables.
        for (GatewayProcess gateway : gateways) gateway.start();
        for (LibraryProcess library : libraries) library.start();
        system.awaitReady();
        return system;
    }

    private Store store() throws IOException, InterruptedException {
        boolean ownDisk = options.faults().stream().map(FaultKind::requirement).anyMatch(Requirement.OWN_DISK::equals);
        return switch (options.kind()) {
            case ROCKSDB ->
                Store.rocks(
                        cleanup,
                        folder,
                        options.store().substring(StoreKind.ROCKSDB.title().length()),
                        ownDisk);
            case POSTGRESQL -> Store.postgres(cleanup, folder, ownDisk);
            case MARIADB, REDIS, DYNAMODB, CASSANDRA -> Store.hosted(cleanup, servers(), folder, options.kind());
            case REDIS_CLUSTER -> Store.redisCluster(cleanup, servers(), folder, links);
            case GIVEN -> Store.given(options.store());
        };
    }

    private ServersProgram servers() {
        return Objects.requireNonNull(programs.servers(), "Nobody says what starts the server.");
    }

    private GatewayProcess gateway(String name, Store store, LedgerProcess ledger) throws IOException {
        GatewayProcess gateway =
                new GatewayProcess(cleanup, programs.gateway(), folder, name, wallClock(name), store.variables());
        Link clients = link("clients-" + name, gateway.address());
        Link upstream = link(name + "-ledger", ledger.address());
        InetSocketAddress database = store.address();
        String url = database == null
                ? store.url()
                : store.over(link(name + "-store", database).port());
        gateway.configure(Routes.yaml(url, store.settings(), upstream.port()));
        endpoints.add(endpoint(Door.GATEWAY, name, clients));
        return gateway;
    }

    private LibraryProcess library(String name, Store store, LedgerProcess ledger, RunClock clock) throws IOException {
        InetSocketAddress database = Objects.requireNonNull(store.address(), "The library needs a shared store.");
        LibraryProcess library = new LibraryProcess(cleanup, programs.library(), folder, name, wallClock(name));
        Link clients = link("clients-" + name, library.address());
        Link upstream = link(name + "-ledger", ledger.address());
        Link link = link(name + "-store", database);
        library.configure(
                store.over(link.port()), joined.table(), upstream.port(), clock.began(), options.slowPercent());
        endpoints.add(endpoint(Door.LIBRARY, name, clients));
        return library;
    }

    private @Nullable WallClock wallClock(String name) throws IOException {
        return options.faults().contains(FaultKind.CLOCK) ? new WallClock(folder.resolve(name + ".clock")) : null;
    }

    private static Endpoint endpoint(Door door, String name, Link link) {
        return new Endpoint(door, name, new InetSocketAddress(InetAddress.getLoopbackAddress(), link.port()));
    }

    private void makeJoinedLedger(Store store) throws IOException {
        try {
            joined.make(store.direct());
        } catch (SQLException e) {
            throw new IOException("The table of those who join could not be made: " + e.getMessage(), e);
        }
    }

    /** What was done so far, by the ledger and by those who join. */
    void effects(SystemUnderTest system, Consumer<Event> reader) throws IOException {
        LedgerFile.events(system.ledger().file(), reader::accept);
        if (system.libraries().isEmpty()) return;
        try {
            joined.events(system.store().direct(), reader::accept);
        } catch (SQLException e) {
            throw new IOException("The effects of those who join could not be read: " + e.getMessage(), e);
        }
    }

    /** Leaves nothing of this run's in a database that stays. */
    void dropJoinedLedger(SystemUnderTest system) throws IOException {
        if (system.libraries().isEmpty()) return;
        try {
            joined.drop(system.store().direct());
        } catch (SQLException e) {
            throw new IOException("The table " + joined.table() + " is left: " + e.getMessage(), e);
        }
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
