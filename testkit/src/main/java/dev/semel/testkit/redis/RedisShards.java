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

    /** The port of the cluster bus is so far above the other. */
    public static final int BUS = 10_000;

    private final List<RedisServer> masters;
    private final List<RedisServer> replicas;

    private RedisShards(List<RedisServer> masters, List<RedisServer> replicas) {
        this.masters = masters;
        this.replicas = replicas;
    }

    /** Where a node listens, with its bus {@value #BUS} above; and where it tells clients and its replica that it does, which may be a proxy. */
    public record NodePorts(int port, int announced) {
        static NodePorts free() throws IOException {
            int port = FreePort.pickWith(BUS);
            return new NodePorts(port, port);
        }
    }

    /** Starts a cluster and returns when every node says that all is well. */
    public static RedisShards start(Path workDir, int masters, boolean withReplicas, String... settings) {
        try {
            List<NodePorts> ports = new ArrayList<>();
            for (int i = 0; i < masters * (withReplicas ? 2 : 1); i++) ports.add(NodePorts.free());
            return start(workDir, masters, ports, settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same with ports that are given: those of the masters, then those of their replicas in the same order, if any. */
    public static RedisShards start(Path workDir, int masters, List<NodePorts> ports, String... settings) {
        RedisShards shards = new RedisShards(new ArrayList<>(), new ArrayList<>());
        try {
            for (int i = 0; i < masters; i++)
                shards.masters.add(node(workDir.resolve("master-" + i), ports.get(i), settings));
            for (int i = masters; i < ports.size(); i++)
                shards.replicas.add(node(workDir.resolve("replica-" + (i - masters)), ports.get(i), settings));
            shards.join();
            return shards;
        } catch (IOException | RuntimeException e) {
            shards.close();
            throw e instanceof IOException io ? new UncheckedIOException(io) : (RuntimeException) e;
        }
    }

    private static RedisServer node(Path folder, NodePorts ports, String[] settings) throws IOException {
        List<String> all = new ArrayList<>(List.of("--cluster-node-timeout", "1000"));
        all.addAll(List.of(settings));
        all.addAll(List.of("--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf"));
        all.addAll(
                List.of("--cluster-announce-port", "" + ports.announced(), "--cluster-replica-validity-factor", "0"));
        all.addAll(List.of("--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1"));
        return RedisServer.start(folder, ports.port(), all.toArray(String[]::new));
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

    /** Whether every node knows a master for each slot, and every replica is a copy of a living master. */
    public boolean isWell() {
        return everyNodeSays("cluster_state:ok")
                && nodes().stream().filter(RedisShards::isMaster).count() == masters.size()
                && nodes().stream()
                        .allMatch(it -> isMaster(it) || says(it, "master_link_status:up", "INFO", "replication"));
    }

    private static boolean isMaster(RedisServer node) {
        return says(node, "role:master", "INFO", "replication");
    }

    /**
     * Moves slots, with all that is in them, from one master to another, as redis-cli does. Returns when every node knows whose they
     * are now.
     */
    public void moveSlots(RedisServer from, RedisServer to, List<Integer> slots) {
        for (int slot : slots) {
            to.call("CLUSTER", "SETSLOT", "" + slot, "IMPORTING", idOf(from));
            from.call("CLUSTER", "SETSLOT", "" + slot, "MIGRATING", idOf(to));
            moveKeys(from, to, slot);
            to.call("CLUSTER", "SETSLOT", "" + slot, "NODE", idOf(to));
            from.call("CLUSTER", "SETSLOT", "" + slot, "NODE", idOf(to));
        }
        int owner = announcedBy(to);
        for (int slot : slots)
            await(
                    "all know whose slot " + slot + " is",
                    () -> nodes().stream().allMatch(it -> masterOf(it, slot) == owner));
    }

    /** The slots that this node has, as it says itself. */
    public static List<Integer> slotsOf(RedisServer node) {
        List<Integer> slots = new ArrayList<>();
        int port = announcedBy(node);
        for (Object each : list(node.call("CLUSTER", "SLOTS"))) {
            List<?> range = list(each);
            if (number(list(range.get(2)).get(1)) != port) continue;
            for (long slot = number(range.get(0)); slot <= number(range.get(1)); slot++) slots.add((int) slot);
        }
        return slots;
    }

    private static void moveKeys(RedisServer from, RedisServer to, int slot) {
        try (RedisWire wire = from.wire()) {
            while (true) {
                List<?> names = list(wire.call("CLUSTER", "GETKEYSINSLOT", "" + slot, "100"));
                if (names.isEmpty()) return;
                for (Object name : names)
                    wire.call("MIGRATE", "127.0.0.1", "" + to.port(), String.valueOf(name), "0", "5000");
            }
        }
    }

    private static int announcedBy(RedisServer node) {
        List<?> told = list(node.call("CONFIG", "GET", "cluster-announce-port"));
        return Integer.parseInt(String.valueOf(told.get(1)));
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

    /** The node of a shard, by its number from 0, that is the only master of it now; null while there is none, or two think so. */
    public @Nullable RedisServer masterNow(int shard) {
        RedisServer first = masters.get(shard);
        RedisServer second = replicas.get(shard);
        if (isMaster(first) == isMaster(second)) return null;
        return isMaster(first) ? first : second;
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
