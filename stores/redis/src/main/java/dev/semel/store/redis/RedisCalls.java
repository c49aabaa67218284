package dev.semel.store.redis;

import dev.semel.core.store.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings each call to the server that keeps its key. In a cluster whose slots are being moved a server says where the key is
 * instead, and has done nothing.
 */
final class RedisCalls implements AutoCloseable {
    private static final int MOST_HOPS = 16;
    private static final int QUICK_HOPS = 4;
    private static final long HOP_PAUSE_NANOS = 50_000_000;

    private final Topology topology;

    RedisCalls(Topology topology) {
        this.topology = topology;
    }

    /** One call, at whatever server. */
    private interface Attempt<T> {
        T at(RedisNode node);
    }

    /** Runs a script on a record. */
    List<@Nullable Object> run(Script script, byte[] name, byte[]... arguments) {
        return routed(topology.nodeOf(name), 0, node -> node.run(script, name, arguments));
    }

    /** Looks at many records at once: all questions are on their way before the first answer is waited for. */
    List<List<@Nullable Object>> findAll(List<byte[]> names) {
        List<Asked> asked = new ArrayList<>(names.size());
        for (byte[] name : names) {
            RedisNode node = topology.nodeOf(name);
            asked.add(new Asked(node, guarded(node, () -> node.sendRun(Script.FIND, name))));
        }
        List<List<@Nullable Object>> answers = new ArrayList<>(names.size());
        for (int i = 0; i < names.size(); i++) answers.add(answer(asked.get(i), names.get(i)));
        return answers;
    }

    private record Asked(RedisNode node, RedisNode.Sent<List<@Nullable Object>> sent) {}

    private List<@Nullable Object> answer(Asked asked, byte[] name) {
        try {
            return guarded(asked.node(), () -> asked.node().awaitRun(asked.sent(), Script.FIND, name));
        } catch (RedisCommandExecutionException e) {
            // Moved perhaps; whatever it is, it is said again to whoever asks for this one key.
            return run(Script.FIND, name);
        }
    }

    /** What stands under a name of this record's slot. */
    byte @Nullable [] get(byte[] name) {
        return routed(
                topology.nodeOf(name),
                0,
                node -> node.<byte @Nullable []>call(
                        false, link -> link.ask(it -> it.get(name).toCompletableFuture())));
    }

    private <T> T routed(RedisNode node, int hops, Attempt<T> attempt) {
        try {
            return guarded(node, () -> attempt.at(node));
        } catch (RedisCommandExecutionException e) {
            String code = RedisFailures.code(e);
            boolean elsewhere = code.equals("MOVED") || code.equals("ASK");
            if (code.equals("CLUSTERDOWN")) topology.suspect(node);
            if ((!elsewhere && !code.equals("TRYAGAIN")) || hops == MOST_HOPS) throw e;
            if (hops >= QUICK_HOPS) LockSupport.parkNanos(HOP_PAUSE_NANOS);
            return routed(elsewhere ? next(node, e) : node, hops + 1, attempt);
        }
    }

    /** "MOVED 3999 127.0.0.1:6381". */
    private RedisNode next(RedisNode from, RedisCommandExecutionException e) {
        String[] words = RedisFailures.said(e).split(" ", -1);
        if (words[0].equals("ASK")) return topology.asking(from, words[2]);
        return topology.moved(from, Integer.parseInt(words[1]), words[2]);
    }

    @Override
    public void close() {
        topology.close();
    }

    private <T> T guarded(RedisNode node, Supplier<T> call) {
        try {
            return call.get();
        } catch (StoreException e) {
            topology.suspect(node);
            throw e;
        }
    }
}
