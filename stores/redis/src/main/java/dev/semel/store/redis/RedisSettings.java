package dev.semel.store.redis;

import dev.semel.core.store.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How one server is set up. Operators of managed servers often forbid to ask; what is not known is taken for the worst.
 *
 * @param config settings by their names in redis.conf; empty when the server does not tell
 * @param status what it says of itself; empty when it does not tell
 */
record RedisSettings(String address, Map<String, String> config, Map<String, String> status) {
    private static final int OLDEST = 7;
    private static final List<String> ASKED =
            List.of("appendonly", "appendfsync", "maxmemory-policy", "no-appendfsync-on-rewrite");

    static RedisSettings of(RedisNode node) {
        return new RedisSettings(node.address(), config(node), status(node));
    }

    private static Map<String, String> config(RedisNode node) {
        try {
            String[] asked = ASKED.toArray(String[]::new);
            return node.call(false, link -> link.ask(it -> it.configGet(asked).toCompletableFuture()));
        } catch (RedisCommandExecutionException e) {
            return Map.of();
        }
    }

    private static Map<String, String> status(RedisNode node) {
        try {
            Map<String, String> status = new HashMap<>();
            for (String line : node.call(false, link -> link.ask(it -> it.info().toCompletableFuture()))
                    .split("\r\n", -1)) {
                int colon = line.indexOf(':');
                if (colon > 0) status.put(line.substring(0, colon), line.substring(colon + 1));
            }
            return status;
        } catch (RedisCommandExecutionException e) {
            return Map.of();
        }
    }

    /**
     * @throws IllegalStateException when this is no server for a store
     * @throws StoreException when it is a replica
     */
    void check(boolean cluster) {
        String version = status.getOrDefault("redis_version", "" + OLDEST);
        int major = Integer.parseInt(version.replaceFirst("\\D.*", ""));
        if (major < OLDEST)
            throw new IllegalStateException("Redis at " + address + " is version " + version
                    + "; this store needs version " + OLDEST + " or later.");
        if ("sentinel".equals(status.get("redis_mode")))
            throw new IllegalStateException(
                    address + " is a sentinel: its store URL begins with redis-sentinel:// and ends with #master.");
        if (!cluster && "1".equals(status.get("cluster_enabled")))
            throw new IllegalStateException(
                    "Redis at " + address + " is part of a cluster: its store URL begins with redis-cluster://.");
        if (!cluster && "slave".equals(status.get("role")))
            throw StoreException.notApplied(
                    "Redis at " + address + " is a replica, which takes no writes. Use the URL of its master, or"
                            + " redis-sentinel://.",
                    null);
    }

    /** Whether a replica may take over, or nobody can tell. */
    boolean isReplicated() {
        return !"0".equals(status.getOrDefault("connected_slaves", "?"));
    }

    /** Whether the death of this server's process loses nothing, although a loss of power may. */
    boolean survivesItsProcess() {
        return "yes".equals(config.get("appendonly"))
                && "always".equals(config.get("appendfsync"))
                && "noeviction".equals(config.get("maxmemory-policy"));
    }

    List<String> losses() {
        List<String> losses = new ArrayList<>();
        if (config.isEmpty())
            losses.add("The server does not tell its settings (CONFIG GET is not allowed), so the worst is assumed.");
        boolean logged = "1".equals(status.get("aof_enabled"));
        if (!config.getOrDefault("appendonly", logged ? "yes" : "no").equals("yes"))
            losses.add("appendonly is 'no': a restart loses everything since the last snapshot.");
        String fsync = config.getOrDefault("appendfsync", "always");
        if (!fsync.equals("always"))
            losses.add("appendfsync is '" + fsync + "': a crash loses the last "
                    + (fsync.equals("everysec") ? "second or two" : "half minute") + ".");
        String policy = config.getOrDefault("maxmemory-policy", status.getOrDefault("maxmemory_policy", "noeviction"));
        if (!policy.equals("noeviction"))
            losses.add("maxmemory-policy is '" + policy
                    + "': when memory runs out, keys that are still needed are removed.");
        if (config.getOrDefault("no-appendfsync-on-rewrite", "no").equals("yes"))
            losses.add("no-appendfsync-on-rewrite is 'yes': while the log is rewritten, a loss of power loses writes.");
        return losses;
    }
}
