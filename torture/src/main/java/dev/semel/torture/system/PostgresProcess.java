package dev.semel.torture.cast;

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
public final class Database implements Mortal {
    private final Undertaker undertaker;
    private final PostgresServer server;

    private Database(Undertaker undertaker, PostgresServer server) {
        this.undertaker = undertaker;
        this.server = server;
        undertaker.seesTo(server.pid());
    }

    static Database start(Undertaker undertaker, Path folder) {
        return new Database(undertaker, PostgresServer.startFromClassPath(folder));
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
        undertaker.forgets(server.pid());
        server.kill9();
    }

    /** In the orderly way, so that it leaves nothing in the memory of the system. */
    void close() {
        undertaker.forgets(server.pid());
        server.close();
    }

    /** Returns when it takes connections. */
    @Override
    public void start() {
        undertaker.forgets(server.pid());
        server.restart();
        undertaker.seesTo(server.pid());
    }

    @Override
    public void ensureStarted() {
        boolean alive =
                ProcessHandle.of(server.pid()).map(ProcessHandle::isAlive).orElse(false);
        if (!alive) start();
    }

    @Override
    public boolean isWell() {
        DriverManager.setLoginTimeout(5);
        try {
            DriverManager.getConnection(server.jdbcUrl()).close();
            return true;
        } catch (SQLException e) {
            return false;
        }
    }
}
