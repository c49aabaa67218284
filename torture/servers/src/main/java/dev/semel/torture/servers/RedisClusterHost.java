package dev.semel.torture.servers;

import dev.semel.testkit.redis.RedisServer;
import dev.semel.testkit.redis.RedisShards;
import dev.semel.testkit.redis.RedisShards.NodePorts;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Three masters with a replica each. What is broken is a shard, named by its number: whoever is its master at that moment. A replica takes
 * over when its master was silent for two seconds.
 */
final class RedisClusterHost implements HostedServers {
    private static final int SHARDS = 3;
    private static final String[] SETTINGS = {"--cluster-node-timeout", "2000"};
    private static final int SLOTS_AT_A_TIME = 16;
    private static final long LONGEST_FAIL_OVER_NANOS = 20_000_000_000L;

    private final RedisShards shards;
    private final Map<String, RedisServer> broken = new HashMap<>();
    private final Map<String, RedisServer> leftBehind = new HashMap<>();

    private RedisClusterHost(RedisShards shards) {
        this.shards = shards;
    }

    /** @param ports {@code PORT:ANNOUNCED} of each master, then of each replica */
    static RedisClusterHost start(Path folder, List<String> ports) {
        List<NodePorts> nodes = ports.stream()
                .map(it -> it.split(":", -1))
                .map(it -> new NodePorts(Integer.parseInt(it[0]), Integer.parseInt(it[1])))
                .toList();
        return new RedisClusterHost(RedisShards.start(folder, SHARDS, nodes, SETTINGS));
    }

    @Override
    public String about() {
        return Integer.toString(SHARDS);
    }

    @Override
    public void kill(String shard) {
        RedisServer master = masterOf(shard);
        broken.put(shard, master);
        master.kill9();
    }

    @Override
    public void pause(String shard) {
        RedisServer master = masterOf(shard);
        broken.put(shard, master);
        master.pause();
    }

    @Override
    public void restart(String shard) {
        RedisServer node = broken.remove(shard);
        if (node != null) node.restart();
    }

    @Override
    public void resume(String shard) {
        RedisServer node = broken.remove(shard);
        if (node != null) node.resume();
    }

    @Override
    public boolean isWell() {
        return shards.isWell();
    }

    @Override
    public String tell(String order, String shard) {
        return switch (order) {
            case "masters" ->
                IntStream.range(0, SHARDS)
                        .mapToObj(i ->
                                Integer.toString(masterOf(Integer.toString(i)).port()))
                        .collect(Collectors.joining(" "));
            case "leave-replica-behind" -> leaveReplicaBehind(shard);
            case "fail-over" -> failOver(shard);
            case "move-slots" -> moveSlots(shard);
            default -> throw new IllegalArgumentException("A cluster knows no '" + order + "'.");
        };
    }

    /** It stops, and its connection is gone: what the master acknowledges from now on is nowhere but with the master. */
    private String leaveReplicaBehind(String shard) {
        RedisServer master = masterOf(shard);
        RedisServer replica = otherThan(master, shard);
        replica.pause();
        leftBehind.put(shard, replica);
        master.call("CLIENT", "KILL", "TYPE", "replica");
        return "";
    }

    /** The master dies, and the replica that was left behind takes its place. Returns when it has. */
    private String failOver(String shard) {
        RedisServer replica = leftBehind.remove(shard);
        if (replica == null) throw new IllegalStateException("No replica of shard " + shard + " was left behind.");
        RedisServer master = otherThan(replica, shard);
        broken.put(shard, master);
        master.kill9();
        replica.resume();
        await("the replica of shard " + shard + " takes over", () -> says(replica, "master"));
        return "";
    }

    /** Some slots go from this shard to the next, unless something is broken: who moves slots then is beyond help. */
    private String moveSlots(String shard) {
        if (!broken.isEmpty() || !leftBehind.isEmpty() || !isWell()) return "";
        RedisServer from = masterOf(shard);
        RedisServer to = masterOf(Integer.toString((Integer.parseInt(shard) + 1) % SHARDS));
        List<Integer> slots = RedisShards.slotsOf(from);
        Collections.shuffle(slots);
        shards.moveSlots(from, to, slots.subList(0, Math.min(SLOTS_AT_A_TIME, slots.size())));
        return "";
    }

    private RedisServer masterOf(String shard) {
        int number = Integer.parseInt(shard);
        await("shard " + shard + " has a master", () -> shards.masterNow(number) != null);
        return requireMaster(shards.masterNow(number), shard);
    }

    private static RedisServer requireMaster(@Nullable RedisServer master, String shard) {
        if (master == null) throw new IllegalStateException("Shard " + shard + " has lost its master again.");
        return master;
    }

    private RedisServer otherThan(RedisServer node, String shard) {
        int number = Integer.parseInt(shard);
        RedisServer first = shards.masters().get(number);
        return node == first ? shards.replicas().get(number) : first;
    }

    private static boolean says(RedisServer node, String role) {
        return String.valueOf(node.call("ROLE")).contains(role);
    }

    private static void await(String what, BooleanSupplier event) {
        long deadline = System.nanoTime() + LONGEST_FAIL_OVER_NANOS;
        while (!event.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) throw new IllegalStateException("Waited in vain until " + what + ".");
            LockSupport.parkNanos(10_000_000);
        }
    }

    @Override
    public void close() {
        shards.close();
    }
}
