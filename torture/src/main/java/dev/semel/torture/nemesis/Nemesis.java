package dev.semel.torture.nemesis;

import dev.semel.torture.RunClock;
import dev.semel.torture.history.Event;
import dev.semel.torture.system.SystemUnderTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Injects faults and heals them, in episodes with calm between them. The same seed and system have the same episodes, though
 * never at quite the same moment of everything else.
 */
public final class Nemesis {
    private static final int SHORTEST_CALM_MILLIS = 800;
    private static final int LONGEST_CALM_MILLIS = 4_000;
    private static final int SHORTEST_MILLIS = 300;
    private static final int LONGEST_MILLIS = 3_000;
    /** A pause that a lease outlasts would do no harm. */
    private static final int SHORTEST_PAUSE_MILLIS = 2_500;

    private static final int LONGEST_PAUSE_MILLIS = 6_000;
    private static final long STEP_MILLIS = 50;

    private final SystemUnderTest system;
    private final List<FaultKind> kinds;
    private final Random random;
    private final RunClock clock;
    private final FailOverWatch failOvers;
    private final Consumer<Event> events;
    private volatile String now = "";

    public Nemesis(
            SystemUnderTest system,
            Collection<FaultKind> kinds,
            long seed,
            RunClock clock,
            FailOverWatch failOvers,
            Consumer<Event> events) {
        this.system = system;
        this.kinds = kinds.stream().filter(kind -> !kind.on(system).isEmpty()).toList();
        this.random = new Random(seed);
        this.clock = clock;
        this.failOvers = failOvers;
        this.events = events;
    }

    /** A fault that was injected and is not healed yet. */
    private record ActiveFault(FaultKind kind, Fault fault, long at) {}

    /** Returns when it is told to, with every fault healed and every process ready. */
    public void run(BooleanSupplier goesOn) throws IOException, InterruptedException {
        while (goesOn.getAsBoolean()) {
            await(random.nextInt(SHORTEST_CALM_MILLIS, LONGEST_CALM_MILLIS), goesOn);
            if (goesOn.getAsBoolean() && !kinds.isEmpty()) episode(goesOn);
        }
    }

    /** What is broken now; empty when nothing is. */
    public String now() {
        return now;
    }

    private void episode(BooleanSupplier goesOn) throws IOException, InterruptedException {
        List<ActiveFault> active = new ArrayList<>();
        failOvers.look();
        try {
            int count = 1 + random.nextInt(10) / 7 + random.nextInt(10) / 9;
            for (int i = 0; i < count; i++) inject(active);
            await(duration(active), goesOn);
        } finally {
            for (ActiveFault one : active.reversed()) heal(one);
        }
        system.awaitReady();
        failOvers.look();
        now = "";
    }

    private void inject(List<ActiveFault> active) throws IOException, InterruptedException {
        FaultKind kind = kinds.get(random.nextInt(kinds.size()));
        List<Fault> faults = new ArrayList<>(kind.on(system));
        Collections.shuffle(faults, random);
        Fault fault = faults.getFirst();
        for (ActiveFault other : active) if (other.fault().target().equals(fault.target())) return;
        now = (now + " " + kind.title() + " " + fault.target()).strip();
        active.add(new ActiveFault(kind, fault, clock.now()));
        fault.inject(random);
    }

    private int duration(List<ActiveFault> active) {
        return active.stream().anyMatch(it -> it.kind().takesTime(system))
                ? random.nextInt(SHORTEST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS)
                : random.nextInt(SHORTEST_MILLIS, LONGEST_MILLIS);
    }

    private void heal(ActiveFault one) throws IOException, InterruptedException {
        one.fault().heal();
        events.accept(new Event.Fault(
                one.at(), clock.now(), one.kind().title(), one.fault().target()));
    }

    private static void await(int millis, BooleanSupplier goesOn) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000L;
        while (goesOn.getAsBoolean() && System.nanoTime() - end < 0) Thread.sleep(STEP_MILLIS);
    }
}
