package dev.semel.torture.run;

import dev.semel.torture.system.DoorProgram;
import dev.semel.torture.system.GatewayProcess;
import dev.semel.torture.system.MigrationProcess;
import dev.semel.torture.system.Programs;
import dev.semel.torture.system.RunCleanup;
import dev.semel.torture.system.Store;
import dev.semel.torture.system.StoreKind;
import dev.semel.torture.system.SystemUnderTest;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;

/**
 * A fleet changes its store while clients go on, as docs/migrating.md says: gateway by gateway to both stores, then everything
 * is migrated, then gateway by gateway to the new store alone. The first migrations are killed.
 */
final class StoreSwitch {
    private static final Duration READY = Duration.ofSeconds(60);
    private static final Duration MIGRATION = Duration.ofMinutes(5);
    private static final int KILLED_MIGRATIONS = 2;
    private static final int MOST_MIGRATIONS = 60;

    private final SystemUnderTest system;
    private final RunCleanup cleanup;
    private final DoorProgram program;
    private final Path folder;
    private final Store target;
    private final Duration pause;
    private final Random random;
    private final PrintStream out;
    private final long began = System.nanoTime();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private StoreSwitch(
            SystemUnderTest system,
            RunCleanup cleanup,
            DoorProgram program,
            Path folder,
            Store target,
            Duration run,
            long seed,
            PrintStream out) {
        this.system = system;
        this.cleanup = cleanup;
        this.program = program;
        this.folder = folder;
        this.target = target;
        // Before each gateway's two turns, before the migration, and after it all.
        this.pause = run.dividedBy(2L * system.gateways().size() + 3);
        this.random = new Random(seed);
        this.out = out;
    }

    /** @param to a kind of store, for a server of the run's own; or a URL */
    static StoreSwitch begin(
            SystemUnderTest system,
            RunCleanup cleanup,
            Programs programs,
            Path folder,
            String to,
            Options options,
            PrintStream out)
            throws IOException, InterruptedException {
        Path own = Files.createDirectories(folder.resolve("target"));
        Store target = started(cleanup, programs, own, to);
        StoreSwitch started = new StoreSwitch(
                system, cleanup, programs.gateway(), folder, target, options.duration(), options.seed(), out);
        Thread.ofPlatform().name("store-switch").start(started::run);
        return started;
    }

    private static Store started(RunCleanup cleanup, Programs programs, Path folder, String to)
            throws IOException, InterruptedException {
        StoreKind kind = StoreKind.of(to);
        return switch (kind) {
            case POSTGRESQL -> Store.postgres(cleanup, folder, false);
            case MARIADB, REDIS, DYNAMODB, CASSANDRA ->
                Store.hosted(
                        cleanup,
                        Objects.requireNonNull(programs.servers(), "Nobody says what starts the server."),
                        folder,
                        kind);
            case GIVEN -> Store.given(to);
            case ROCKSDB, REDIS_CLUSTER -> throw new IllegalArgumentException("No run migrates to " + to + ".");
        };
    }

    /** Whether it goes on. */
    boolean isRunning() {
        return !end.isDone();
    }

    /** Returns when the fleet is on the new store alone. */
    void await() throws IOException, InterruptedException {
        try {
            end.get();
        } catch (ExecutionException e) {
            throw new IOException("The fleet did not come over to the new store: " + e.getCause(), e);
        }
    }

    private void run() {
        try {
            for (GatewayProcess gateway : system.gateways()) {
                Thread.sleep(pause);
                restart(gateway, "store: '" + url() + "'\nstore-before: '$1'\n");
            }
            Thread.sleep(pause);
            migrate();
            for (GatewayProcess gateway : system.gateways()) {
                Thread.sleep(pause);
                restart(gateway, "store: '" + url() + "'\n");
            }
            say("all gateways are on the new store alone");
            Thread.sleep(pause);
            end.complete(null);
        } catch (IOException | InterruptedException | RuntimeException e) {
            end.completeExceptionally(e);
        }
    }

    private String url() {
        return target.address() == null ? target.url() : target.direct();
    }

    private void restart(GatewayProcess gateway, String stores) throws IOException, InterruptedException {
        boolean both = stores.contains("store-before");
        String pattern = both ? "store: '(.*)'\n" : "store: '.*'\nstore-before: '.*'\n";
        String replacement = Matcher.quoteReplacement(stores).replace("\\$1", "$1");
        gateway.configure(gateway.configured().replaceFirst(pattern, replacement));
        gateway.kill();
        gateway.ensureStarted();
        gateway.awaitReady(READY);
        say(gateway.name() + (both ? " has both stores" : " has the new store alone"));
    }

    private void migrate() throws IOException, InterruptedException {
        for (int run = 1; run <= MOST_MIGRATIONS; run++) {
            Duration atMost = run <= KILLED_MIGRATIONS ? Duration.ofMillis(1000 + random.nextInt(1500)) : MIGRATION;
            Path log = folder.resolve("migrate.log");
            if (MigrationProcess.run(cleanup, program, log, system.store().direct(), url(), atMost)) {
                say("everything is migrated, by run " + run + " of semel migrate");
                return;
            }
        }
        throw new IOException("The migration did not come to an end; see migrate.log.");
    }

    private void say(String what) {
        out.printf("%n%.0f s: %s%n", (System.nanoTime() - began) / 1e9, what);
    }
}
