package dev.semel.torture.system;

import dev.semel.testkit.server.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
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
    private final Map<String, String> variables = new HashMap<>();
    private final int port;
    private final int adminPort;
    private volatile @Nullable ChildProcess child;
    private volatile String configured = "";

    /**
     * @param wallClock the clock that it is to believe in; null for the machine's
     * @param variables what else its environment has
     */
    public GatewayProcess(
            RunCleanup cleanup,
            DoorProgram program,
            Path folder,
            String name,
            @Nullable WallClock wallClock,
            Map<String, String> variables)
            throws IOException {
        this.cleanup = cleanup;
        this.program = program;
        this.name = name;
        this.config = folder.resolve(name + ".yaml");
        this.log = folder.resolve(name + ".log");
        this.wallClock = wallClock;
        this.variables.putAll(variables);
        if (wallClock != null) this.variables.putAll(wallClock.variables());
        this.port = FreePort.pick();
        this.adminPort = FreePort.pick();
    }

    /** Writes its configuration: where it listens, and the rest as given. */
    public void configure(String rest) throws IOException {
        configured = rest;
        Files.writeString(config, """
            listen: 127.0.0.1:%d
            admin: { listen: 127.0.0.1:%d }
            %s\
            """.formatted(port, adminPort, rest));
    }

    /** What it was last configured with. It counts from the next start. */
    public String configured() {
        return configured;
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
    public synchronized void start() throws IOException {
        ChildProcess now = child;
        // Whoever changes its store may have started it before whoever killed it does.
        if (now != null && now.isAlive()) return;
        child = ChildProcess.start(cleanup, program.command(config), variables, log);
    }

    @Override
    public synchronized void ensureStarted() throws IOException {
        start();
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
    public synchronized void kill() throws IOException, InterruptedException {
        ChildProcess now = child;
        if (now != null) now.kill();
    }
}
