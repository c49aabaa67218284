package dev.semel.store.redis;

import dev.semel.core.store.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a cluster, as its nodes have told. What is wrong here is put right by the nodes: one that does not have a slot
 * says who has. When a node is silent, the others are asked who took over.
 */
final class ClusterSlots implements Topology {
    private static final long PAUSE_NANOS = 100_000_000;

    private final RedisNode.LinkMaker links;
    private final RedisLink.Purpose purpose;
    private final List<RedisURI> seeds;
    private final RedisOptions options;
    private final Map<String, RedisNode> nodes = new ConcurrentHashMap<>();
    private final Map<String, RedisNode> askingNodes = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable RedisNode> slots = new AtomicReferenceArray<>(SlotHash.SLOT_COUNT);
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile Set<String> known = Set.of();
    private volatile long lookedAt = System.nanoTime() - PAUSE_NANOS;
    private volatile boolean closed;

    ClusterSlots(RedisNode.LinkMaker links, RedisLink.Purpose purpose, List<RedisURI> seeds, RedisOptions options) {
        this.links = links;
        this.purpose = purpose;
        this.seeds = seeds;
        this.options = options;
    }

    /** @throws StoreException when no seed answers */
    static ClusterSlots open(
            RedisNode.LinkMaker links, RedisLink.Purpose purpose, List<RedisURI> seeds, RedisOptions options) {
        ClusterSlots cluster = new ClusterSlots(links, purpose, seeds, options);
        try {
            cluster.look(null);
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    @Override
    public RedisNode nodeOf(byte[] name) {
        RedisNode node = slots.get(SlotHash.getSlot(name));
        if (node != null) return node;
        suspectAnyone(null);
        throw StoreException.notApplied("No node of the cluster has this slot; nothing was sent.", null);
    }

    @Override
    public List<RedisNode> masters() {
        Set<RedisNode> masters = new LinkedHashSet<>();
        for (int slot = 0; slot < slots.length(); slot++) {
            RedisNode node = slots.get(slot);
            if (node != null) masters.add(node);
        }
        return List.copyOf(masters);
    }

    @Override
    public RedisNode moved(RedisNode from, int slot, String address) {
        RedisNode owner = node(complete(from, address));
        slots.set(slot, owner);
        suspectAnyone(null);
        return owner;
    }

    @Override
    public RedisNode asking(RedisNode from, String address) {
        return askingNodes.computeIfAbsent(
                complete(from, address), to -> new RedisNode(links, uri(to), RedisLink.Purpose.ASKING, options));
    }

    /** A node that does not know its own name leaves it out. */
    private static String complete(RedisNode from, String address) {
        if (!address.startsWith(":")) return address;
        return from.address().substring(0, from.address().lastIndexOf(':')) + address;
    }

    private RedisNode node(String address) {
        return nodes.computeIfAbsent(address, to -> new RedisNode(links, uri(to), purpose, options));
    }

    /** User, password and TLS are those of the seeds. */
    private RedisURI uri(String address) {
        int colon = address.lastIndexOf(':');
        RedisURI uri = RedisURI.builder(seeds.getFirst()).build();
        uri.setHost(address.substring(0, colon));
        uri.setPort(Integer.parseInt(address.substring(colon + 1)));
        return uri;
    }

    @Override
    public void suspect(RedisNode node) {
        suspectAnyone(node);
    }

    /** One look at a time, and ten a second at most, however many calls fail. */
    private void suspectAnyone(@Nullable RedisNode suspected) {
        if (closed || System.nanoTime() - lookedAt < PAUSE_NANOS || !looking.compareAndSet(false, true)) return;
        Thread.ofVirtual().name("semel-redis-cluster").start(() -> {
            try {
                look(suspected);
            } catch (RuntimeException e) {
                // The next call that fails tries again.
            } finally {
                lookedAt = System.nanoTime();
                looking.set(false);
            }
        });
    }

    /** Asks one node after the other, whoever is suspected last, until one tells. */
    private void look(@Nullable RedisNode suspected) {
        List<RedisNode> asked = new ArrayList<>(masters());
        for (String address : known) if (!asked.contains(node(address))) asked.add(node(address));
        for (RedisURI seed : seeds) {
            RedisNode node = node(RedisUrl.address(seed));
            if (!asked.contains(node)) asked.add(node);
        }
        if (suspected != null && asked.remove(suspected)) asked.add(suspected);
        StoreException last = StoreException.notApplied("No node of the cluster is known.", null);
        for (RedisNode node : asked) {
            try {
                learn(
                        node,
                        node.call(
                                false, link -> link.ask(it -> it.clusterSlots().toCompletableFuture())));
                return;
            } catch (StoreException e) {
                last = e;
            } catch (RedisCommandExecutionException e) {
                last = RedisFailures.refused(e);
            }
        }
        throw last;
    }

    private void learn(RedisNode from, List<Object> ranges) {
        Set<String> seen = new LinkedHashSet<>();
        for (Object each : ranges) {
            List<?> range = (List<?>) each;
            RedisNode owner = null;
            for (int i = 2; i < range.size(); i++) {
                String address = complete(from, address((List<?>) range.get(i)));
                seen.add(address);
                if (i == 2) owner = node(address);
            }
            long to = (Long) range.get(1);
            for (long slot = (Long) range.get(0); slot <= to; slot++) slots.set((int) slot, owner);
        }
        known = seen;
        forget(nodes, seen);
        forget(askingNodes, seen);
    }

    private static String address(List<?> node) {
        String host = node.get(0) instanceof byte[] name ? new String(name, StandardCharsets.UTF_8) : "";
        return host + ":" + node.get(1);
    }

    /** Of nodes that have left, no connection stays open. */
    private void forget(Map<String, RedisNode> all, Set<String> seen) {
        all.forEach((address, node) -> {
            boolean seed = seeds.stream().anyMatch(it -> RedisUrl.address(it).equals(address));
            if (!seed && !seen.contains(address) && all.remove(address, node)) node.close();
        });
    }

    @Override
    public void close() {
        closed = true;
        nodes.values().forEach(RedisNode::close);
        askingNodes.values().forEach(RedisNode::close);
    }
}
