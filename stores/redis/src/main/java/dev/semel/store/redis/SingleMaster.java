package dev.semel.store.redis;

import java.util.List;

/** One server keeps everything; by the word of sentinels, not always the same. */
record SingleMaster(RedisNode node) implements Topology {
    @Override
    public RedisNode nodeOf(byte[] name) {
        return node;
    }

    @Override
    public List<RedisNode> masters() {
        return List.of(node);
    }

    @Override
    public RedisNode moved(RedisNode from, int slot, String address) {
        throw new IllegalStateException(
                "Redis at " + node.address() + " is part of a cluster: its store URL begins with redis-cluster://");
    }

    @Override
    public RedisNode asking(RedisNode from, String address) {
        return moved(from, 0, address);
    }

    @Override
    public void suspect(RedisNode suspected) {
        // Whoever connects next asks for the master.
    }

    @Override
    public void close() {
        node.close();
    }
}
