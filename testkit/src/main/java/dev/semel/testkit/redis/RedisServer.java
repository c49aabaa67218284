package dev.semel.testkit.redis;

import dev.semel.testkit.server.FreePort;
import dev.semel.testkit.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis 7 as a child process of the test, from the binary that Maven delivers. It listens on 127.0.0.1 only, keeps
 * its port over restarts, and is as durable as Redis can be: {@code appendonly yes} and {@code appendfsync always} unless a
 * setting says otherwise. It has no password.
 *
 * <p>Its data is in the work folder: a server started on the same folder again finds what an earlier one left. Whoever
 * starts a server closes it; should the test's process end first, a shutdown hook does. Methods may be called by any
 * thread.
 */
public final class RedisServer implements AutoCloseable {
    private final int port;
    private final ServerProcess process;

    private RedisServer(int port, ServerProcess process) {
        this.port = port;
        this.process = process;
    }

    /**
     * Starts a server and returns when it answers.
     *
     * @param workDir where its data and its log go
     * @param settings as on its command line, such as {@code "--maxmemory", "10mb"}
     * @throws IllegalStateException when it does not start; the message holds its log
     */
    public static RedisServer start(Path workDir, String... settings) {
        try {
            return start(workDir, FreePort.pick(), settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static RedisServer start(Path workDir, int port, String... settings) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(RedisBinary.fromClassPath().toString()));
        command.addAll(List.of("--port", "" + port, "--bind", "127.0.0.1", "--save", "", "--daemonize", "no"));
        command.addAll(List.of("--appendonly", "yes", "--appendfsync", "always", "--dir", "."));
        command.addAll(List.of(settings));
        return launch("redis-" + port, workDir, port, command);
    }

    /** Starts a process that watches over a master and its replicas. */
    static RedisServer startSentinel(Path workDir, Path config, int port) throws IOException {
        String program = RedisBinary.fromClassPath().toString();
        return launch("sentinel-" + port, workDir, port, List.of(program, config.toString(), "--sentinel"));
    }

    private static RedisServer launch(String name, Path workDir, int port, List<String> command) {
        RedisServer server = new RedisServer(port, ServerProcess.launch(name, workDir, command, Map.of()));
        server.process.await(server::answers);
        return server;
    }

    private boolean answers() {
        try (RedisWire wire = wire()) {
            wire.call("PING");
            return true;
        } catch (RedisWire.ErrorReply e) {
            return !e.getMessage().startsWith("LOADING");
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    /** The URL of its database 0. Stays the same over restarts. */
    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }

    public String log() {
        return process.log();
    }

    /** A connection of the test's own, without any client library. */
    public RedisWire wire() {
        return RedisWire.to(port);
    }

    /** Asks one question on a connection of its own. */
    public @Nullable Object call(String... command) {
        try (RedisWire wire = wire()) {
            return wire.call(command);
        }
    }

    /** Makes every record of Semel in it older by so much, as if that much time had passed. */
    public void age(Duration by) {
        try (RedisWire wire = wire()) {
            RecordAge.add(wire, by);
        }
    }

    /** Kills it with SIGKILL. Returns when it is gone. */
    public void kill9() {
        process.kill9();
    }

    /** Stops it with SIGSTOP, as a machine that hangs: connections stay open, and nobody answers. */
    public void pause() {
        process.pause();
    }

    /** Ends a pause: what was sent meanwhile is done now. */
    public void resume() {
        process.resume();
    }

    /** Starts it again on the same data and port, stopping it first if it runs. */
    public void restart() {
        process.relaunch();
        process.await(this::answers);
    }

    @Override
    public void close() {
        process.close();
    }
}
