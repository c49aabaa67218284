package dev.semel.store.redis;

import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits.Survives;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the servers do to keep an acknowledged write, as they are set up.
 *
 * @param survives what every acknowledged write survives
 * @param losses what an acknowledged write may be lost by, in plain words; none when it survives even a loss of power
 * @param skew by how much the clocks of servers that may follow each other can differ
 * @param lossAccepted whether the store URL says {@code accept-loss=true}
 */
public record RedisDurability(Survives survives, List<String> losses, Duration skew, boolean lossAccepted) {
    /** Servers of one operator that keep their clocks by NTP are within milliseconds of each other. */
    private static final Duration SKEW_OF_SERVERS = Duration.ofSeconds(1);

    private static final String WITHOUT_WAIT =
            "Replication is asynchronous: a replica that takes over may lack what its"
                    + " master acknowledged last, and those operations may run twice.";

    public RedisDurability {
        losses = List.copyOf(losses);
    }

    /** Asks every master; the weakest counts. */
    static RedisDurability read(Topology topology, RedisUrl url) {
        Set<String> losses = new LinkedHashSet<>();
        boolean replicated = isUnderSentinels(url);
        boolean process = true;
        List<RedisNode> masters = topology.masters();
        if (masters.isEmpty())
            throw StoreException.notApplied("No node of the cluster has slots; it is not set up yet.", null);
        for (RedisNode master : masters) {
            RedisSettings settings = RedisSettings.of(master);
            settings.check(url.cluster());
            replicated |= settings.isReplicated();
            process &= settings.survivesItsProcess();
            losses.addAll(settings.losses());
        }
        if (replicated) losses.add(0 < url.replicas() ? withWait(url.replicas()) : WITHOUT_WAIT);
        Survives survives = survives(losses.isEmpty(), process && !replicated);
        Duration skew = url.skew() == null && replicated ? SKEW_OF_SERVERS : leastSkew(url);
        return new RedisDurability(survives, new ArrayList<>(losses), skew, url.lossAccepted());
    }

    /** Before anyone has asked the servers: that a single one has replicas is not known yet. */
    static Duration leastSkew(RedisUrl url) {
        if (url.skew() != null) return url.skew();
        return url.cluster() || isUnderSentinels(url) ? SKEW_OF_SERVERS : Duration.ZERO;
    }

    private static String withWait(int replicas) {
        return "A replica that takes over may lack what its master acknowledged last, although writes wait for "
                + replicas + ": it may be another one.";
    }

    private static boolean isUnderSentinels(RedisUrl url) {
        return !url.servers().getFirst().getSentinels().isEmpty();
    }

    private static Survives survives(boolean all, boolean process) {
        if (all) return Survives.POWER_LOSS;
        return process ? Survives.PROCESS_DEATH : Survives.NOTHING;
    }

    /** One sentence for whoever decides whether to start. */
    public String explanation() {
        return losses.isEmpty()
                ? "Acknowledged writes survive a loss of power: appendonly yes, appendfsync always, noeviction, no"
                        + " replicas."
                : "Acknowledged writes may be lost. " + String.join(" ", losses);
    }
}
