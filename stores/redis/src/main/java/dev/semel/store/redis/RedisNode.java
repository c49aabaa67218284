package dev.semel.store.redis;

import dev.semel.core.store.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One server, or whoever is the master by the word of sentinels. All callers share one connection, on which their commands
 * follow each other without waiting. Nothing is ever sent twice: a connection that breaks takes what it carried with it, and
 * the next caller makes another.
 *
 * <p>A server that says nothing for the time of a timeout hangs. From then on one call every two seconds may try, and all
 * others are refused at once, until it answers.
 */
final class RedisNode implements AutoCloseable {
    private static final long HANG_PAUSE_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long REFUSED_PAUSE_NANOS = Duration.ofMillis(100).toNanos();
    private static final String BROKE = "the connection broke";
    private static final int MOST_IN_FLIGHT = 50_000;

    private final LinkMaker maker;
    private final RedisURI uri;
    private final RedisLink.Purpose purpose;
    private final RedisOptions options;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable RedisLink link;

    /** Guarded by the lock, as all that follows. */
    private @Nullable CompletableFuture<RedisLink> connecting;

    private boolean hung;
    private boolean closed;
    private long retryAt = System.nanoTime();
    private StoreException lastRefusal = StoreException.notApplied("Not connected yet.", null);

    RedisNode(LinkMaker maker, RedisURI uri, RedisLink.Purpose purpose, RedisOptions options) {
        this.maker = maker;
        this.uri = uri;
        this.purpose = purpose;
        this.options = options;
    }

    /** Opens a connection to this address. */
    interface LinkMaker {
        CompletableFuture<RedisLink> open(RedisURI uri, RedisLink.Purpose purpose);
    }

    /** What is to be said on a connection. */
    interface Question<T> {
        CompletableFuture<T> ask(RedisLink link);
    }

    /** On its way to the server. */
    record Sent<T>(RedisLink link, CompletableFuture<T> answer) {}

    RedisURI uri() {
        return uri;
    }

    String address() {
        return RedisUrl.address(uri);
    }

    /**
     * Sends without waiting for the answer.
     *
     * @throws StoreException when nothing was sent
     */
    <T> Sent<T> send(Question<T> question) {
        RedisLink open = link();
        if (open.inFlight() > MOST_IN_FLIGHT)
            throw StoreException.notApplied(
                    "More than " + MOST_IN_FLIGHT + " calls wait for Redis at " + address() + "; nothing was sent.",
                    null);
        return new Sent<>(open, question.ask(open));
    }

    /**
     * Waits for the answer.
     *
     * @param ofWrite whether what was sent may have written something
     * @throws RedisCommandExecutionException when the server said no
     * @throws StoreException when there is no answer
     */
    <T> T await(Sent<T> sent, boolean ofWrite) {
        try {
            return sent.answer().get(options.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RedisCommandExecutionException no) {
                if (RedisFailures.code(no).equals("READONLY")) drop(sent.link());
                throw no;
            }
            throw lost(ofWrite, e.getCause() instanceof RedisLink.NotConfirmed no ? no.getMessage() : BROKE, e);
        } catch (TimeoutException e) {
            if (sent.link().isSilentFor(options.timeout())) hangs(sent.link());
            throw lost(ofWrite, "it did not answer within " + options.timeout().toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw lost(ofWrite, "the caller was interrupted", e);
        }
    }

    private StoreException lost(boolean ofWrite, @Nullable String why, Throwable cause) {
        return ofWrite
                ? StoreException.unknown("The answer of Redis at " + address() + " is lost: " + why + ".", cause)
                : StoreException.notApplied("Redis at " + address() + " could not be read: " + why + ".", cause);
    }

    /** Sends and waits. */
    <T> T call(boolean ofWrite, Question<T> question) {
        return await(send(question), ofWrite);
    }

    /** Runs a script on a key. The server is told the whole script when it does not know it (any more). */
    List<@Nullable Object> run(Script script, byte[] key, byte[]... arguments) {
        return awaitRun(sendRun(script, key, arguments), script, key, arguments);
    }

    Sent<List<@Nullable Object>> sendRun(Script script, byte[] key, byte[]... arguments) {
        return send(link -> link.run(script, key, arguments));
    }

    List<@Nullable Object> awaitRun(Sent<List<@Nullable Object>> sent, Script script, byte[] key, byte[]... arguments) {
        boolean writes = script != Script.FIND;
        try {
            return await(sent, writes);
        } catch (RedisCommandExecutionException e) {
            if (!RedisFailures.code(e).equals("NOSCRIPT")) throw e;
            return call(writes, link -> link.teach(script, key, arguments));
        }
    }

    private RedisLink link() {
        RedisLink now = link;
        return now != null && now.isOpen() ? now : connect();
    }

    private RedisLink connect() {
        CompletableFuture<RedisLink> pending;
        lock.lock();
        try {
            RedisLink now = link;
            if (now != null && now.isOpen()) return now;
            if (closed) throw StoreException.notApplied("The store is closed.", null);
            boolean early = System.nanoTime() - retryAt < 0;
            if (early || (hung && connecting != null)) throw again(lastRefusal);
            pending = connecting == null ? begin() : connecting;
            // One that failed while it was begun is over already, and the next caller begins another.
            connecting = pending.isDone() ? null : pending;
        } finally {
            lock.unlock();
        }
        return awaitLink(pending);
    }

    /** Each caller gets an exception of its own. */
    private static StoreException again(StoreException refusal) {
        return StoreException.notApplied(String.valueOf(refusal.getMessage()), refusal.getCause());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What follows the end of opening is told by the second future.
    private CompletableFuture<RedisLink> begin() {
        long began = System.nanoTime();
        CompletableFuture<RedisLink> opening = maker.open(uri, purpose);
        CompletableFuture<RedisLink> done = new CompletableFuture<>();
        opening.whenComplete((opened, failure) -> {
            ended(opened, failure, System.nanoTime() - began);
            if (failure == null) done.complete(opened);
            else done.completeExceptionally(failure);
        });
        return done;
    }

    private void ended(@Nullable RedisLink opened, @Nullable Throwable failure, long took) {
        lock.lock();
        try {
            connecting = null;
            if (opened != null && closed) opened.close();
            link = opened;
            hung = opened == null && took >= options.connectTimeout().toNanos();
            if (failure != null) {
                retryAt = System.nanoTime() + (hung ? HANG_PAUSE_NANOS : REFUSED_PAUSE_NANOS);
                lastRefusal = noConnection(failure);
            }
        } finally {
            lock.unlock();
        }
    }

    private RedisLink awaitLink(CompletableFuture<RedisLink> pending) {
        try {
            return pending.get(2 * options.connectTimeout().toNanos() + HANG_PAUSE_NANOS, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw noConnection(e);
        } catch (TimeoutException e) {
            throw noConnection(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw noConnection(e);
        }
    }

    private StoreException noConnection(Throwable failure) {
        Throwable root = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException no) return RedisFailures.refused(no);
            root = cause;
        }
        String why = root instanceof TimeoutException ? "it takes too long" : root.getMessage();
        return StoreException.notApplied(
                "No connection to Redis at " + address() + ": " + why + ". Nothing was sent.", failure);
    }

    private void hangs(RedisLink silent) {
        lock.lock();
        try {
            if (link == silent || link == null) {
                hung = true;
                retryAt = System.nanoTime() + HANG_PAUSE_NANOS;
                lastRefusal = StoreException.notApplied(
                        "Redis at " + address() + " does not answer; nothing was sent.", null);
            }
        } finally {
            lock.unlock();
        }
        drop(silent);
    }

    /** Whoever is master now is asked anew, and this server no more. */
    void drop(RedisLink left) {
        lock.lock();
        try {
            if (link == left) link = null;
        } finally {
            lock.unlock();
        }
        left.close();
    }

    @Override
    public void close() {
        RedisLink last;
        lock.lock();
        try {
            closed = true;
            last = link;
            link = null;
        } finally {
            lock.unlock();
        }
        if (last != null) last.close();
    }
}
