package dev.semel.store.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A connection, what is under way on it, and when the server last said something. */
final class RedisLink implements AutoCloseable {
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final Purpose purpose;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile long answeredAt = System.nanoTime();

    /** @param purpose what its commands are beside themselves */
    RedisLink(StatefulRedisConnection<byte[], byte[]> connection, Purpose purpose) {
        this.connection = connection;
        this.purpose = purpose;
    }

    /**
     * What a connection is for.
     *
     * @param asking whether each command is to be taken although its slot belongs to another node
     * @param replicas how many replicas have to confirm each write
     * @param patience how long they may take
     */
    record Purpose(boolean asking, int replicas, Duration patience) {
        static final Purpose PLAIN = new Purpose(false, 0, Duration.ZERO);
        static final Purpose ASKING = new Purpose(true, 0, Duration.ZERO);

        static Purpose confirming(int replicas, Duration patience) {
            return new Purpose(false, replicas, patience);
        }
    }

    /** A write that the master has done, and too few replicas have. */
    static final class NotConfirmed extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotConfirmed(long replicas, Purpose asked) {
            super("only " + replicas + " of " + asked.replicas() + " replicas have confirmed the write");
        }
    }

    boolean isOpen() {
        return connection.isOpen();
    }

    int inFlight() {
        return inFlight.get();
    }

    boolean isSilentFor(Duration time) {
        return System.nanoTime() - answeredAt >= time.toNanos();
    }

    CompletableFuture<List<@Nullable Object>> run(Script script, byte[] key, byte[]... arguments) {
        return confirmed(
                script,
                ask(it -> it.<List<@Nullable Object>>evalsha(
                                script.sha(), ScriptOutputType.MULTI, new byte[][] {key}, arguments)
                        .toCompletableFuture()));
    }

    /** Runs it too; from then on the server knows it. */
    CompletableFuture<List<@Nullable Object>> teach(Script script, byte[] key, byte[]... arguments) {
        return confirmed(
                script,
                ask(it -> it.<List<@Nullable Object>>eval(
                                script.text(), ScriptOutputType.MULTI, new byte[][] {key}, arguments)
                        .toCompletableFuture()));
    }

    /** Said right behind the write, on the same connection: for WAIT counts only what was written on its own. */
    private CompletableFuture<List<@Nullable Object>> confirmed(
            Script script, CompletableFuture<List<@Nullable Object>> answer) {
        if (purpose.replicas() == 0 || script == Script.FIND) return answer;
        CompletableFuture<Long> replicas = ask(it -> it.waitForReplication(
                        purpose.replicas(), purpose.patience().toMillis())
                .toCompletableFuture());
        return answer.thenCombine(replicas, (written, count) -> {
            if (count < purpose.replicas() && new Answer(written).hasWritten(script))
                throw new NotConfirmed(count, purpose);
            return written;
        });
    }

    /** Whatever else the driver can say. */
    @SuppressWarnings("FutureReturnValueIgnored") // What follows an answer is told by the answer.
    <T> CompletableFuture<T> ask(Command<T> command) {
        inFlight.incrementAndGet();
        CompletableFuture<T> answer = purpose.asking() ? askFirst(command) : command.on(connection.async());
        answer.whenComplete((value, failure) -> {
            answeredAt = System.nanoTime();
            inFlight.decrementAndGet();
        });
        return answer;
    }

    /** ASKING counts for the next command of the connection, whoever sends it. */
    @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for the answer to ASKING.
    private synchronized <T> CompletableFuture<T> askFirst(Command<T> command) {
        connection.async().asking();
        return command.on(connection.async());
    }

    /** One command. */
    interface Command<T> {
        CompletableFuture<T> on(RedisAsyncCommands<byte[], byte[]> commands);
    }

    static byte[] ascii(long number) {
        return Long.toString(number).getBytes(US_ASCII);
    }

    /** What is under way fails; nobody waits for the server to agree. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored")
    public void close() {
        if (connection.isOpen() && closed.compareAndSet(false, true)) connection.closeAsync();
    }
}
