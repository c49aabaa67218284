package dev.semel.store.redis;

import dev.semel.core.store.StoreException;
import java.util.List;

/** Which server keeps which key. Safe for use by any thread. */
interface Topology extends AutoCloseable {
    /** @throws StoreException when nobody is known to */
    RedisNode nodeOf(byte[] name);

    /** All servers that keep keys. */
    List<RedisNode> masters();

    /** A server has said that this slot is with another one now. */
    RedisNode moved(RedisNode from, int slot, String address);

    /** A server that takes over a slot, and has this key already; it must be told that it was asked for by name. */
    RedisNode asking(RedisNode from, String address);

    /** A server does not answer as it should: another may have taken over. Does not wait. */
    void suspect(RedisNode node);

    @Override
    void close();
}
