package dev.semel.torture.system;

import dev.semel.testkit.server.FreePort;
import dev.semel.torture.library.LibraryShop;
import dev.semel.torture.library.ShopConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A service with the library in it, as a process. Keeps its port over restarts. */
public final class LibraryProcess implements ManagedProcess {
    private final RunCleanup cleanup;
    private final DoorProgram program;
    private final String name;
    private final Path config;
    private final Path log;
    private final @Nullable WallClock wallClock;
    private final int port;
    private volatile @Nullable ChildProcess child;

    /** @param wallClock the clock that it is to believe in; null for the machine's */
    public LibraryProcess(
            RunCleanup cleanup, DoorProgram program, Path folder, String name, @Nullable WallClock wallClock)
            throws IOException {
        this.cleanup = cleanup;
        this.program = program;
        this.name = name;
        this.config = folder.resolve(name + ".properties");
        this.log = folder.resolve(name + ".log");
        this.wallClock = wallClock;
        this.port = FreePort.pick();
    }

    /** Writes its configuration. */
    public void configure(String store, String table, int ledgerPort, long clockBegan, int slowPercent)
            throws IOException {
        new ShopConfig(port, store, table, ledgerPort, clockBegan, slowPercent).write(config);
    }

    @Override
    public String name() {
        return name;
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    public @Nullable WallClock wallClock() {
        return wallClock;
    }

    @Override
    public void start() throws IOException {
        child = ChildProcess.start(
                cleanup, program.command(config), wallClock == null ? Map.of() : wallClock.variables(), log);
    }

    @Override
    public void ensureStarted() throws IOException {
        ChildProcess now = child;
        if (now == null || !now.isAlive()) start();
    }

    @Override
    public boolean isReady() {
        ChildProcess now = child;
        return now != null && now.isAlive() && HttpCheck.isAnswered(address(), LibraryShop.READY, 200);
    }

    @Override
    public void pause() throws IOException, InterruptedException {
        ChildProcess now = child;
        if (now != null) now.pause();
    }

    @Override
    public void resume() throws IOException, InterruptedException {
        ChildProcess now = child;
        if (now != null) now.resume();
    }

    @Override
    public void kill() throws IOException, InterruptedException {
        ChildProcess now = child;
        if (now != null) now.kill();
    }
}
