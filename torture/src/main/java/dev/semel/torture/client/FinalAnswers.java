package dev.semel.torture.client;

import dev.semel.torture.Digest;
import dev.semel.torture.history.Event;
import dev.semel.torture.history.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Asks for each operation once more, when every fault is healed, until there is an answer that will not change. */
public final class FinalAnswers {
    private static final int NO_CLIENT = -1;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int PAUSE_MILLIS = 200;
    /** Longer than any lease: what is silent for so long will not speak any more. */
    private static final Duration QUIET_PERIOD = Duration.ofSeconds(8);

    private final List<Endpoint> endpoints;
    private final Calls calls;
    private final Queue<Operation> open;
    private final AtomicInteger settled = new AtomicInteger();
    private final long began = System.nanoTime();
    private final long deadline;

    public FinalAnswers(List<Operation> operations, List<Endpoint> endpoints, Calls calls, Duration atMost) {
        this.endpoints = endpoints;
        this.calls = calls;
        this.open = new ConcurrentLinkedQueue<>(operations);
        this.deadline = began + atMost.toNanos();
    }

    /** Returns when every operation has its final answer. */
    public void collect(int threads) throws InterruptedException {
        while (!open.isEmpty()) {
            List<Operation> round = new ArrayList<>();
            for (Operation next; (next = open.poll()) != null; ) round.add(next);
            collect(round, threads);
            if (!open.isEmpty()) Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** What has no final answer yet is open again afterwards. */
    private void collect(List<Operation> round, int threads) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            all.add(Thread.ofVirtual().start(() -> {
                try (Lines lines = new Lines(endpoints, number)) {
                    for (int at = next.getAndIncrement(); at < round.size(); at = next.getAndIncrement())
                        if (!isSettled(round.get(at), lines)) open.add(round.get(at));
                }
            }));
        }
        for (Thread thread : all) thread.join();
    }

    /** A connection of one thread's own through each door. */
    private static final class Lines implements AutoCloseable {
        private final Map<Door, Endpoint> endpoints = new EnumMap<>(Door.class);
        private final Map<Door, GatewayConnection> connections = new EnumMap<>(Door.class);

        Lines(List<Endpoint> all, int number) {
            for (Door door : Door.values()) {
                List<Endpoint> fitting =
                        all.stream().filter(it -> it.door() == door).toList();
                if (fitting.isEmpty()) continue;
                Endpoint endpoint = fitting.get(number % fitting.size());
                endpoints.put(door, endpoint);
                connections.put(door, new GatewayConnection(endpoint.address()));
            }
        }

        Endpoint endpoint(Door door) {
            return Objects.requireNonNull(endpoints.get(door));
        }

        GatewayConnection connection(Door door) {
            return Objects.requireNonNull(connections.get(door));
        }

        @Override
        public void close() {
            connections.values().forEach(GatewayConnection::close);
        }
    }

    public int settledCount() {
        return settled.get();
    }

    private boolean isSettled(Operation operation, Lines lines) {
        Answer answer = ask(operation, operation.payload(), lines);
        if (answer != null && answer.status() == 422) answer = ask(operation, operation.otherPayload(), lines);
        boolean late = System.nanoTime() - deadline > 0;
        if (!late && (answer == null || !isLast(answer, operation.promise()))) return false;
        settle(operation, answer);
        return true;
    }

    private @Nullable Answer ask(Operation operation, int payload, Lines lines) {
        GatewayConnection line = lines.connection(operation.door());
        return calls.make(
                NO_CLIENT,
                operation,
                payload,
                lines.endpoint(operation.door()),
                request -> line.exchange(request, TIMEOUT_MILLIS));
    }

    private boolean isLast(Answer answer, Promise promise) {
        return switch (answer.problem()) {
            case "in-progress", "upstream-unreachable", "store-unavailable", "too-many-waiters" -> false;
            case "outcome-unknown" -> promise == Promise.AT_MOST_ONCE && isQuiet();
            default -> true;
        };
    }

    private boolean isQuiet() {
        return System.nanoTime() - began > QUIET_PERIOD.toNanos();
    }

    private void settle(Operation operation, @Nullable Answer answer) {
        int status = answer == null ? 0 : answer.status();
        String problem = answer == null ? "no answer" : answer.problem();
        String body = answer == null ? "" : Digest.of(answer.body());
        settled.incrementAndGet();
        calls.note(new Event.Settled(calls.now(), operation.key(), status, problem, body));
    }
}
