package dev.semel.testkit.redis;

import dev.semel.testkit.server.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A master, one replica, and three sentinels that let the replica take over when the master was silent for a second. The
 * name of the master is {@code main}. Whoever starts one closes it.
 */
public final class RedisWithSentinels implements AutoCloseable {
    private static final int SENTINELS = 3;

    private final RedisServer master;
    private final RedisServer replica;
    private final List<RedisServer> sentinels = new ArrayList<>();

    private RedisWithSentinels(RedisServer master, RedisServer replica) {
        this.master = master;
        this.replica = replica;
    }

    /** Returns when the replica has copied the master, and all sentinels know of both and of each other. */
    public static RedisWithSentinels start(Path workDir) {
        try {
            RedisServer master = RedisServer.start(workDir.resolve("master"), "--repl-diskless-sync-delay", "0");
            RedisServer replica =
                    RedisServer.start(workDir.resolve("replica"), "--replicaof", "127.0.0.1 " + master.port());
            RedisWithSentinels all = new RedisWithSentinels(master, replica);
            RedisShards.await("the replica is up", () -> replicaIs("master_link_status:up", replica));
            for (int i = 0; i < SENTINELS; i++) all.sentinels.add(all.sentinel(workDir.resolve("sentinel-" + i)));
            RedisShards.await("the sentinels know all", all::sentinelsKnowAll);
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean replicaIs(String line, RedisServer replica) {
        return String.valueOf(replica.call("INFO", "replication")).contains(line);
    }

    private RedisServer sentinel(Path folder) throws IOException {
        int port = FreePort.pick();
        Path config = Files.createDirectories(folder.toAbsolutePath()).resolve("sentinel.conf");
        Files.writeString(config, """
            port %d
            bind 127.0.0.1
            sentinel monitor main 127.0.0.1 %d 2
            sentinel down-after-milliseconds main 1000
            sentinel failover-timeout main 10000
            """.formatted(port, master.port()));
        return RedisServer.startSentinel(folder, config, port);
    }

    private boolean sentinelsKnowAll() {
        return sentinels.stream().allMatch(it -> {
            List<?> told = (List<?>) it.call("SENTINEL", "MASTER", "main");
            return told != null
                    && "1".equals(told.get(told.indexOf("num-slaves") + 1))
                    && "2".equals(told.get(told.indexOf("num-other-sentinels") + 1));
        });
    }

    /** The server that was the master at the start. */
    public RedisServer master() {
        return master;
    }

    public RedisServer replica() {
        return replica;
    }

    public String url() {
        return "redis-sentinel://"
                + sentinels.stream().map(it -> "127.0.0.1:" + it.port()).collect(Collectors.joining(","))
                + "#main";
    }

    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        replica.close();
        master.close();
    }
}
