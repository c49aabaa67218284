package dev.semel.torture.client;

import dev.semel.torture.Digest;
import dev.semel.torture.RunClock;
import dev.semel.torture.history.Event;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes calls, numbers them, and writes down what came of each. Safe for use by any thread. */
public final class Calls {
    private final RunClock clock;
    private final Consumer<Event> events;
    private final AtomicInteger count = new AtomicInteger();

    public Calls(RunClock clock, Consumer<Event> events) {
        this.clock = clock;
        this.events = events;
    }

    public int count() {
        return count.get();
    }

    long now() {
        return clock.now();
    }

    void note(Event event) {
        events.accept(event);
    }

    /** What somebody who asks for an operation does with a connection; null when nothing came back. */
    @FunctionalInterface
    interface Exchange {
        @Nullable
        Answer ask(byte[] request) throws IOException;
    }

    @Nullable
    Answer make(int client, Operation operation, int payload, Endpoint endpoint, Exchange exchange) {
        int call = count.incrementAndGet();
        events.accept(new Event.Sent(
                clock.now(), call, client, operation.key(), payload, operation.promise(), endpoint.gateway()));
        try {
            Answer answer = exchange.ask(operation.request(payload));
            if (answer == null) unanswered(call, "hung up");
            else answered(call, answer);
            return answer;
        } catch (SocketTimeoutException e) {
            unanswered(call, "no patience");
        } catch (ConnectException e) {
            unanswered(call, "no connection");
        } catch (IOException e) {
            unanswered(call, "cut off");
        }
        return null;
    }

    private void answered(int call, Answer answer) {
        events.accept(new Event.Answered(
                clock.now(), call, answer.status(), answer.problem(), answer.replayed(), Digest.of(answer.body())));
    }

    private void unanswered(int call, String how) {
        events.accept(new Event.Unanswered(clock.now(), call, how));
    }
}
