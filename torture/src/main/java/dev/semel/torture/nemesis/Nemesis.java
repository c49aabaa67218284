package dev.semel.torture.nemesis;

import dev.semel.torture.RunClock;
import dev.semel.torture.cast.Cast;
import dev.semel.torture.history.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Breaks things and mends them, in episodes with calm between them. The same seed and cast have the same episodes, though
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

    private final Cast cast;
    private final List<FaultKind> kinds;
    private final Random luck;
    private final RunClock clock;
    private final Consumer<Event> events;
    private volatile String now = "";

    public Nemesis(Cast cast, Collection<FaultKind> kinds, long seed, RunClock clock, Consumer<Event> events) {
        this.cast = cast;
        this.kinds = kinds.stream().filter(kind -> !kind.on(cast).isEmpty()).toList();
        this.luck = new Random(seed);
        this.clock = clock;
        this.events = events;
    }

    /** A fault that has struck. */
    private record Struck(FaultKind kind, Fault fault, long at) {}

    /** Returns when it is told to, with everything mended and everybody well. */
    public void rage(BooleanSupplier goesOn) throws IOException, InterruptedException {
        while (goesOn.getAsBoolean()) {
            await(luck.nextInt(SHORTEST_CALM_MILLIS, LONGEST_CALM_MILLIS), goesOn);
            if (goesOn.getAsBoolean() && !kinds.isEmpty()) episode(goesOn);
        }
    }

    /** What is broken now; empty when nothing is. */
    public String now() {
        return now;
    }

    private void episode(BooleanSupplier goesOn) throws IOException, InterruptedException {
        List<Struck> struck = new ArrayList<>();
        try {
            int count = 1 + luck.nextInt(10) / 7 + luck.nextInt(10) / 9;
            for (int i = 0; i < count; i++) strike(struck);
            await(duration(struck), goesOn);
        } finally {
            for (Struck one : struck.reversed()) mend(one);
        }
        cast.awaitWell();
        now = "";
    }

    private void strike(List<Struck> struck) throws IOException, InterruptedException {
        FaultKind kind = kinds.get(luck.nextInt(kinds.size()));
        List<Fault> faults = new ArrayList<>(kind.on(cast));
        Collections.shuffle(faults, luck);
        Fault fault = faults.getFirst();
        for (Struck other : struck) if (other.fault().target().equals(fault.target())) return;
        now = (now + " " + kind.title() + " " + fault.target()).strip();
        struck.add(new Struck(kind, fault, clock.now()));
        fault.strike(luck);
    }

    private int duration(List<Struck> struck) {
        boolean pause = struck.stream().anyMatch(it -> it.kind() == FaultKind.PAUSE_GATEWAY);
        return pause
                ? luck.nextInt(SHORTEST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS)
                : luck.nextInt(SHORTEST_MILLIS, LONGEST_MILLIS);
    }

    private void mend(Struck one) throws IOException, InterruptedException {
        one.fault().mend();
        events.accept(new Event.Fault(
                one.at(), clock.now(), one.kind().title(), one.fault().target()));
    }

    private static void await(int millis, BooleanSupplier goesOn) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000L;
        while (goesOn.getAsBoolean() && System.nanoTime() - end < 0) Thread.sleep(STEP_MILLIS);
    }
}
