package dev.semel.testkit.redis;

import dev.semel.testkit.server.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis Cluster: masters that share the slots evenly, and a replica for each of them, if wanted. A replica takes
 * over when its master was silent for a second. Whoever starts one closes it.
 */
public final class RedisShards implements AutoCloseable {
    private static final int SLOTS = 16384;

    private final List<RedisServer> masters;
    private final List<RedisServer> replicas;

    private RedisShards(List<RedisServer> masters, List<RedisServer> replicas) {
        this.masters = masters;
        this.replicas = replicas;
    }

    /** Starts a cluster and returns when every node says that all is well. */
    public static RedisShards start(Path workDir, int masters, boolean withReplicas, String... settings) {
        RedisShards shards = new RedisShards(new ArrayList<>(), new ArrayList<>());
        try {
            for (int i = 0; i < masters; i++) shards.masters.add(node(workDir, "master-" + i, settings));
            if (withReplicas)
                for (int i = 0; i < masters; i++) shards.replicas.add(node(workDir, "replica-" + i, settings));
            shards.join();
            return shards;
        } catch (IOException | RuntimeException e) {
            shards.close();
            throw e instanceof IOException io ? new UncheckedIOException(io) : (RuntimeException) e;
        }
    }

    /** The port of the cluster bus is 10,000 above the other, and must be below 65,536 too. */
    private static RedisServer node(Path workDir, String name, String[] settings) throws IOException {
        List<String> all = new ArrayList<>(List.of(settings));
        all.addAll(List.of("--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf"));
        all.addAll(List.of("--cluster-node-timeout", "1000", "--cluster-replica-validity-factor", "0"));
        all.addAll(List.of("--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1"));
        return RedisServer.start(workDir.resolve(name), FreePort.pick(), all.toArray(String[]::new));
    }

    private void join() {
        int each = SLOTS / masters.size();
        for (int i = 0; i < masters.size(); i++) {
            int last = i == masters.size() - 1 ? SLOTS - 1 : (i + 1) * each - 1;
            masters.get(i).call("CLUSTER", "ADDSLOTSRANGE", "" + i * each, "" + last);
            masters.get(i).call("CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1));
        }
        for (RedisServer node : nodes())
            if (node != masters.getFirst()) masters.getFirst().call("CLUSTER", "MEET", "127.0.0.1", "" + node.port());
        await("all nodes know each other", () -> everyNodeSays("cluster_known_nodes:" + nodes().size()));
        for (int i = 0; i < replicas.size(); i++) replicas.get(i).call("CLUSTER", "REPLICATE", idOf(masters.get(i)));
        await("every node says that all is well", this::isWell);
    }

    private boolean everyNodeSays(String line) {
        return nodes().stream().allMatch(node -> says(node, line, "CLUSTER", "INFO"));
    }

    private static boolean says(RedisServer node, String line, String... command) {
        try {
            return String.valueOf(node.call(command)).contains(line + "\r\n");
        } catch (RedisWire.ErrorReply | UncheckedIOException e) {
            return false;
        }
    }

    private boolean isWell() {
        return everyNodeSays("cluster_state:ok")
                && replicas.stream().allMatch(it -> says(it, "master_link_status:up", "INFO", "replication"));
    }

    /** Looks again and again, a minute at most. */
    static void await(String what, BooleanSupplier event) {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!event.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) throw new IllegalStateException("Waited in vain until " + what);
            LockSupport.parkNanos(10_000_000);
        }
    }

    public List<RedisServer> masters() {
        return masters;
    }

    /** In the order of the masters that they copy at the start. */
    public List<RedisServer> replicas() {
        return replicas;
    }

    public List<RedisServer> nodes() {
        List<RedisServer> all = new ArrayList<>(masters);
        all.addAll(replicas);
        return all;
    }

    /** The URL of a store on it. */
    public String url() {
        return "redis-cluster://"
                + masters.stream().map(it -> "127.0.0.1:" + it.port()).collect(Collectors.joining(","));
    }

    /** The port of the master that has this slot, as this node sees it; 0 when nobody has. */
    public static int masterOf(RedisServer node, int slot) {
        for (Object each : list(node.call("CLUSTER", "SLOTS"))) {
            List<?> range = list(each);
            if (number(range.get(0)) <= slot && slot <= number(range.get(1)))
                return (int) number(list(range.get(2)).get(1));
        }
        return 0;
    }

    private static List<?> list(@Nullable Object value) {
        if (value instanceof List<?> list) return list;
        throw new IllegalStateException("not a list: " + value);
    }

    private static long number(@Nullable Object value) {
        if (value instanceof Long number) return number;
        throw new IllegalStateException("not a number: " + value);
    }

    private static String idOf(RedisServer node) {
        return String.valueOf(node.call("CLUSTER", "MYID"));
    }

    @Override
    public void close() {
        nodes().forEach(RedisServer::close);
    }
}
