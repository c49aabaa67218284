package dev.semel.torture.system;

import dev.semel.testkit.server.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A gateway as a process: the real one, which knows nothing of all this. Keeps its ports over restarts. */
public final class GatewayProcess implements ManagedProcess {
    private final RunCleanup cleanup;
    private final DoorProgram program;
    private final String name;
    private final Path config;
    private final Path log;
    private final @Nullable WallClock wallClock;
    private final int port;
    private final int adminPort;
    private volatile @Nullable ChildProcess child;

    /** @param wallClock the clock that it is to believe in; null for the machine's */
    public GatewayProcess(
            RunCleanup cleanup, DoorProgram program, Path folder, String name, @Nullable WallClock wallClock)
            throws IOException {
        this.cleanup = cleanup;
        this.program = program;
        this.name = name;
        this.config = folder.resolve(name + ".yaml");
        this.log = folder.resolve(name + ".log");
        this.wallClock = wallClock;
        this.port = FreePort.pick();
        this.adminPort = FreePort.pick();
    }

    /** Writes its configuration: where it listens, and the rest as given. */
    public void configure(String rest) throws IOException {
        Files.writeString(config, """
            listen: 127.0.0.1:%d
            admin: { listen: 127.0.0.1:%d }
            %s\
            """.formatted(port, adminPort, rest));
    }

    @Override
    public String name() {
        return name;
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** What it has printed. */
    public Path log() {
        return log;
    }

    public @Nullable WallClock wallClock() {
        return wallClock;
    }

    public long pid() {
        ChildProcess now = child;
        return now == null ? -1 : now.pid();
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
        InetSocketAddress admin = new InetSocketAddress(InetAddress.getLoopbackAddress(), adminPort);
        return now != null && now.isAlive() && HttpCheck.isAnswered(admin, "/readyz", 200);
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
