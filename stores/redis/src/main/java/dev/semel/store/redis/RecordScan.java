package dev.semel.store.redis;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Walks over the records of one server, a portion at a time. */
final class RecordScan {
    /** Where a walk begins, and what Redis gives when it is over. */
    static final String START = "0";

    private final RecordNames names;

    RecordScan(RecordNames names) {
        this.names = names;
    }

    /**
     * @param found in the order of their digests
     * @param next where the walk goes on
     */
    record Portion(List<Found> found, String next) {
        boolean isLast() {
            return next.equals(START);
        }
    }

    /** @param bytes null when something stands there that is no text of bytes */
    record Found(String digest, byte @Nullable [] bytes) {}

    /** About so many names from here on; of these, the records. One question for all of them. */
    Portion from(RedisNode node, String cursor, int about) {
        ScanArgs records = ScanArgs.Builder.limit(about).match(names.pattern());
        KeyScanCursor<byte[]> page = node.call(
                false,
                link -> link.ask(it -> it.scan(ScanCursor.of(cursor), records).toCompletableFuture()));
        TreeMap<String, RedisNode.Sent<byte @Nullable []>> asked = new TreeMap<>();
        for (byte[] name : page.getKeys()) {
            String digest = names.digest(name);
            if (digest != null && !asked.containsKey(digest))
                asked.put(digest, node.send(link -> link.ask(it -> it.get(name).toCompletableFuture())));
        }
        List<Found> found = new ArrayList<>(asked.size());
        asked.forEach((digest, sent) -> add(found, digest, node, sent));
        return new Portion(found, page.getCursor());
    }

    private static void add(List<Found> found, String digest, RedisNode node, RedisNode.Sent<byte @Nullable []> sent) {
        try {
            byte[] bytes = node.await(sent, false);
            if (bytes != null) found.add(new Found(digest, bytes));
        } catch (RedisCommandExecutionException e) {
            // Another node has it by now, and the walk over that one will come across it; unless it is something else.
            if (RedisFailures.code(e).equals("WRONGTYPE")) found.add(new Found(digest, null));
        }
    }
}
