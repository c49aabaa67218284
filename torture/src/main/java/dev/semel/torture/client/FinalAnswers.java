package dev.semel.torture.client;

import dev.semel.torture.Digest;
import dev.semel.torture.history.Event;
import dev.semel.torture.history.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Asks for each operation once more, when every fault is mended, until there is an answer that will not change. */
public final class LastWords {
    private static final int NOBODY = -1;
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int PAUSE_MILLIS = 200;
    /** Longer than any lease: what is silent for so long will not speak any more. */
    private static final Duration SILENCE = Duration.ofSeconds(8);

    private final List<Door> doors;
    private final Calls calls;
    private final Queue<Operation> open;
    private final AtomicInteger settled = new AtomicInteger();
    private final long began = System.nanoTime();
    private final long deadline;

    public LastWords(List<Operation> operations, List<Door> doors, Calls calls, Duration atMost) {
        this.doors = doors;
        this.calls = calls;
        this.open = new ConcurrentLinkedQueue<>(operations);
        this.deadline = began + atMost.toNanos();
    }

    /** Returns when every operation has had its last word. */
    public void hear(int threads) throws InterruptedException {
        while (!open.isEmpty()) {
            List<Operation> round = new ArrayList<>();
            for (Operation next; (next = open.poll()) != null; ) round.add(next);
            hear(round, threads);
            if (!open.isEmpty()) Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** What has no last word yet is open again afterwards. */
    private void hear(List<Operation> round, int threads) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Door door = doors.get(i % doors.size());
            all.add(Thread.ofVirtual().start(() -> {
                try (Line line = new Line(door.address())) {
                    for (int at = next.getAndIncrement(); at < round.size(); at = next.getAndIncrement())
                        if (!isHeard(round.get(at), door, line)) open.add(round.get(at));
                }
            }));
        }
        for (Thread thread : all) thread.join();
    }

    public int heard() {
        return settled.get();
    }

    private boolean isHeard(Operation operation, Door door, Line line) {
        Answer answer = ask(operation, operation.payload(), door, line);
        if (answer != null && answer.status() == 422) answer = ask(operation, operation.otherPayload(), door, line);
        boolean late = System.nanoTime() - deadline > 0;
        if (!late && (answer == null || !isLast(answer, operation.promise()))) return false;
        settle(operation, answer);
        return true;
    }

    private @Nullable Answer ask(Operation operation, int payload, Door door, Line line) {
        return calls.make(NOBODY, operation, payload, door, request -> line.exchange(request, PATIENCE_MILLIS));
    }

    private boolean isLast(Answer answer, Promise promise) {
        return switch (answer.problem()) {
            case "in-progress", "upstream-unreachable", "store-unavailable", "too-many-waiters" -> false;
            case "outcome-unknown" -> promise == Promise.AT_MOST_ONCE && isSilent();
            default -> true;
        };
    }

    private boolean isSilent() {
        return System.nanoTime() - began > SILENCE.toNanos();
    }

    private void settle(Operation operation, @Nullable Answer answer) {
        int status = answer == null ? 0 : answer.status();
        String problem = answer == null ? "no answer" : answer.problem();
        String body = answer == null ? "" : Digest.of(answer.body());
        settled.incrementAndGet();
        calls.note(new Event.Settled(calls.now(), operation.key(), status, problem, body));
    }
}
