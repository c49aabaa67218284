package dev.semel.torture.system;

import dev.semel.testkit.server.FreePort;
import dev.semel.torture.RunClock;
import dev.semel.torture.ledger.LedgerServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The service behind the gateways, as a process. Keeps its port over restarts. */
public final class LedgerProcess implements ManagedProcess {
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1g");

    private final RunCleanup cleanup;
    private final Path file;
    private final Path log;
    private final RunClock clock;
    private final int slowPercent;
    private final int port;
    private @Nullable ChildProcess child;

    /** @param slowPercent how many of its answers in a hundred take long, some of them longer than a gateway waits */
    public LedgerProcess(RunCleanup cleanup, Path folder, RunClock clock, int slowPercent) throws IOException {
        this.cleanup = cleanup;
        this.file = folder.resolve("ledger.txt");
        this.log = folder.resolve("ledger.log");
        this.clock = clock;
        this.slowPercent = slowPercent;
        this.port = FreePort.pick();
    }

    @Override
    public String name() {
        return "ledger";
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** What it has been asked to do, line by line. */
    public Path file() {
        return file;
    }

    @Override
    public void start() throws IOException {
        List<String> arguments = List.of(
                Integer.toString(port), file.toString(), Long.toString(clock.began()), Integer.toString(slowPercent));
        child = ChildProcess.start(
                cleanup, ChildProcess.jvm(JVM, LedgerServer.class.getName(), arguments), Map.of(), log);
    }

    @Override
    public boolean isReady() {
        return child != null && child.isAlive() && HttpCheck.isAnswered(address(), "/effects/none", 404);
    }

    @Override
    public void ensureStarted() throws IOException {
        if (child == null || !child.isAlive()) start();
    }

    @Override
    public void pause() throws IOException, InterruptedException {
        if (child != null) child.pause();
    }

    @Override
    public void resume() throws IOException, InterruptedException {
        if (child != null) child.resume();
    }

    @Override
    public void kill() throws IOException, InterruptedException {
        if (child != null) child.kill();
    }
}
