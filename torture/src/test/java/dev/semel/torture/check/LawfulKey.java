package dev.semel.torture.check;

import dev.semel.torture.history.Event;
import dev.semel.torture.history.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A layer that keeps every promise about one key, as simple as can be, under whatever luck brings. */
final class LawfulKey {
    private enum State {
        FREE,
        HELD,
        IN_DOUBT,
        DONE
    }

    /** One call on its way: where it is, and whether its client still listens. */
    private static final class Flight {
        final int call;
        final int payload;
        long token;
        int attempt;

        @Nullable
        String made;

        boolean sent;
        boolean heard = true;

        Flight(int call, int payload) {
            this.call = call;
            this.payload = payload;
        }
    }

    private final Random random;
    private final Promise promise;
    private final String key;
    private final int firstCall;
    private final List<Event> events = new ArrayList<>();
    private final List<Flight> flights = new ArrayList<>();
    private long now;
    private int calls;

    private State state = State.FREE;
    private long token;
    private int attempts;
    private int payload = -1;
    private String outcome = "";

    private long highestAccepted = -1;
    private String lastMade = "";

    LawfulKey(Random random, Promise promise, String key, int firstCall) {
        this.random = random;
        this.promise = promise;
        this.key = key;
        this.firstCall = firstCall;
        this.now = random.nextInt(1_000_000);
        this.token = 1_000_000 + random.nextInt(1000);
    }

    List<Event> live() {
        int steps = 5 + random.nextInt(60);
        for (int i = 0; i < steps; i++) step();
        while (!flights.isEmpty()) act(flights.getFirst());
        settle();
        return events;
    }

    int calls() {
        return calls;
    }

    private void step() {
        tick();
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> send(random.nextInt(8) == 0 ? 2 : 1);
            case 3 -> leaseRunsOut();
            case 4 -> probe();
            case 5 -> pick(this::hangUp);
            case 6 -> pick(this::die);
            default -> pick(this::act);
        }
    }

    private void tick() {
        now += 1 + random.nextInt(1000);
    }

    private void pick(Consumer<Flight> what) {
        if (!flights.isEmpty()) what.accept(flights.get(random.nextInt(flights.size())));
    }

    private Flight send(int payload) {
        Flight flight = new Flight(firstCall + calls++, payload);
        flights.add(flight);
        events.add(new Event.Sent(now, flight.call, 0, key, payload, promise, "g" + random.nextInt(3)));
        return flight;
    }

    private void act(Flight flight) {
        tick();
        if (flight.token == 0) claim(flight);
        else if (!flight.sent) reach(flight);
        else finish(flight);
    }

    private void claim(Flight flight) {
        if (random.nextInt(12) == 0) answer(flight, 503, "store-unavailable");
        else if (payload >= 0 && payload != flight.payload) answer(flight, 422, "key-reused");
        else
            switch (state) {
                case FREE -> grant(flight);
                case HELD -> answer(flight, 409, "in-progress");
                case IN_DOUBT -> answer(flight, 409, "outcome-unknown");
                case DONE -> outcome(flight, true);
            }
    }

    private void grant(Flight flight) {
        payload = flight.payload;
        state = State.HELD;
        flight.token = ++token;
        flight.attempt = ++attempts;
    }

    private void reach(Flight flight) {
        if (random.nextInt(5) == 0) {
            if (holds(flight)) state = State.FREE;
            answer(flight, 502, "upstream-unreachable");
            return;
        }
        if (promise == Promise.JOINED && !holds(flight)) {
            answer(flight, 503, "store-unavailable");
            return;
        }
        boolean accepted = flight.token >= highestAccepted;
        String body = accepted ? "body-" + random.nextInt(1_000_000) : "refused";
        events.add(new Event.Effect(now, key, flight.payload, flight.token, flight.attempt, accepted, body));
        flight.sent = true;
        if (!accepted) return;
        highestAccepted = flight.token;
        lastMade = body;
        flight.made = body;
        if (promise == Promise.JOINED) complete(flight);
    }

    private boolean holds(Flight flight) {
        return flight.token == token && state != State.FREE && state != State.DONE;
    }

    private void complete(Flight flight) {
        if (!holds(flight) || flight.made == null) return;
        state = State.DONE;
        outcome = flight.made;
    }

    private void finish(Flight flight) {
        boolean own = holds(flight) || promise == Promise.JOINED;
        if (own && random.nextInt(5) == 0 && promise != Promise.JOINED) {
            state = promise == Promise.AT_LEAST_ONCE ? State.FREE : State.IN_DOUBT;
            answer(flight, 504, "outcome-unknown");
        } else if (own) {
            complete(flight);
            outcome(flight, false);
        } else if (state == State.DONE) outcome(flight, true);
        else answer(flight, 409, "outcome-unknown");
    }

    private void outcome(Flight flight, boolean replayed) {
        if (flight.heard) events.add(new Event.Answered(now, flight.call, 201, "", replayed, outcome));
        flights.remove(flight);
    }

    private void answer(Flight flight, int status, String problem) {
        if (flight.heard) events.add(new Event.Answered(now, flight.call, status, problem, false, problem));
        flights.remove(flight);
    }

    private void hangUp(Flight flight) {
        if (flight.heard) events.add(new Event.Unanswered(now, flight.call, "timeout"));
        flight.heard = false;
    }

    private void die(Flight flight) {
        hangUp(flight);
        flights.remove(flight);
    }

    private void leaseRunsOut() {
        if (state != State.HELD) return;
        boolean again = promise == Promise.AT_LEAST_ONCE || promise == Promise.JOINED;
        state = again ? State.FREE : State.IN_DOUBT;
    }

    /** An absence is believed only when whoever was let in can do nothing any more. */
    private void probe() {
        if (promise != Promise.AT_MOST_ONCE_PROBED || state != State.IN_DOUBT) return;
        if (highestAccepted >= 0) {
            state = State.DONE;
            outcome = lastMade;
        } else if (flights.stream().noneMatch(it -> it.token != 0)) state = State.FREE;
    }

    private void settle() {
        leaseRunsOut();
        probe();
        while (state == State.FREE) {
            tick();
            Flight last = send(payload < 0 ? 1 : payload);
            while (flights.contains(last)) act(last);
        }
        probe();
        tick();
        if (state == State.DONE) events.add(new Event.Settled(now, key, 201, "", outcome));
        else if (promise == Promise.AT_MOST_ONCE)
            events.add(new Event.Settled(now, key, 409, "outcome-unknown", "outcome-unknown"));
        else settle();
    }
}
