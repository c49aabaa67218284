package dev.semel.torture.system;

import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL of the run's own, with {@code fsync} on. */
public final class PostgresProcess implements ManagedProcess {
    private final RunCleanup cleanup;
    private final PostgresServer server;

    private PostgresProcess(RunCleanup cleanup, PostgresServer server) {
        this.cleanup = cleanup;
        this.server = server;
        cleanup.killAtEnd(server.pid());
    }

    static PostgresProcess start(RunCleanup cleanup, Path folder) {
        return new PostgresProcess(cleanup, PostgresServer.startFromClassPath(folder));
    }

    @Override
    public String name() {
        return "postgresql";
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    }

    /** The postmaster first, then all that it has started. */
    public List<Long> pids() {
        List<Long> all = new ArrayList<>();
        all.add(server.pid());
        ProcessHandle.of(server.pid()).ifPresent(it -> it.descendants().forEach(child -> all.add(child.pid())));
        return all;
    }

    @Override
    public void pause() throws IOException, InterruptedException {
        for (long pid : pids()) Command.stop(pid);
    }

    @Override
    public void resume() throws IOException, InterruptedException {
        for (long pid : pids()) Command.signal(pid, "CONT");
    }

    @Override
    public void kill() {
        cleanup.forget(server.pid());
        server.kill9();
    }

    /** In the orderly way, so that it leaves nothing in the memory of the system. */
    void close() {
        cleanup.forget(server.pid());
        server.close();
    }

    /** Returns when it takes connections. */
    @Override
    public void start() {
        cleanup.forget(server.pid());
        server.restart();
        cleanup.killAtEnd(server.pid());
    }

    @Override
    public void ensureStarted() {
        boolean alive =
                ProcessHandle.of(server.pid()).map(ProcessHandle::isAlive).orElse(false);
        if (!alive) start();
    }

    @Override
    public boolean isReady() {
        DriverManager.setLoginTimeout(5);
        try {
            DriverManager.getConnection(server.jdbcUrl()).close();
            return true;
        } catch (SQLException e) {
            return false;
        }
    }
}
