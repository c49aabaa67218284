package dev.semel.torture.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One who calls: mostly asks for something new, and again if no answer comes; now and then comes back for something old,
 * asks at several doors at once, hangs up, or uses a key for something else. For one thread.
 */
final class Client implements Runnable {
    private static final int SHORTEST_PATIENCE_MILLIS = 300;
    private static final int LONGEST_PATIENCE_MILLIS = 3_000;
    private static final int MOST_TRIES = 6;
    private static final int FIRST_PAUSE_MILLIS = 20;

    private final int number;
    private final List<Door> doors;
    private final List<Line> lines;
    private final Operations operations;
    private final Calls calls;
    private final Random luck;
    private final BooleanSupplier goesOn;

    Client(int number, List<Door> doors, Operations operations, Calls calls, long seed, BooleanSupplier goesOn) {
        this.number = number;
        this.doors = doors;
        this.lines = doors.stream().map(door -> new Line(door.address())).toList();
        this.operations = operations;
        this.calls = calls;
        this.luck = new Random(seed + number);
        this.goesOn = goesOn;
    }

    @Override
    public void run() {
        try {
            while (goesOn.getAsBoolean()) act(next());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lines.forEach(Line::close);
        }
    }

    private Operation next() {
        int dice = luck.nextInt(100);
        if (dice < 65) return operations.fresh(luck);
        return dice < 85 ? operations.recent(luck) : operations.old(luck);
    }

    private void act(Operation operation) throws InterruptedException {
        int dice = luck.nextInt(100);
        if (dice < 2) hangUpWhileAsking(operation);
        else if (dice < 4) hangUpOnAnswer(operation);
        else if (dice < 7) askForSomethingElse(operation);
        else if (dice < 14) askAtSeveralDoors(operation);
        else askUntilAnswered(operation);
    }

    private void hangUpWhileAsking(Operation operation) {
        int door = anyDoor();
        boolean reset = luck.nextBoolean();
        double part = luck.nextDouble();
        calls.make(number, operation, operation.payload(), doors.get(door), request -> {
            lines.get(door).sendAndHangUp(request, (int) Math.ceil(part * request.length), reset);
            return null;
        });
    }

    private void hangUpOnAnswer(Operation operation) {
        int door = anyDoor();
        calls.make(number, operation, operation.payload(), doors.get(door), request -> {
            lines.get(door).hangUpOnAnswer(request, patience());
            return null;
        });
    }

    private void askForSomethingElse(Operation operation) {
        ask(operation, operation.otherPayload());
    }

    private void askAtSeveralDoors(Operation operation) throws InterruptedException {
        int count = 2 + luck.nextInt(3);
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Door door = doors.get(anyDoor());
            int patience = patience();
            others.add(Thread.ofVirtual().start(() -> {
                try (Line line = new Line(door.address())) {
                    calls.make(number, operation, operation.payload(), door, it -> line.exchange(it, patience));
                }
            }));
        }
        for (Thread other : others) other.join();
    }

    /** Or until it is tired of it; somebody else may come back for the operation later. */
    private void askUntilAnswered(Operation operation) throws InterruptedException {
        int tries = 1 + luck.nextInt(MOST_TRIES);
        for (int i = 0; i < tries && goesOn.getAsBoolean(); i++) {
            Answer answer = ask(operation, operation.payload());
            if (answer != null && answer.status() < 300) return;
            Thread.sleep(luck.nextInt(FIRST_PAUSE_MILLIS << i));
        }
    }

    private @Nullable Answer ask(Operation operation, int payload) {
        int door = anyDoor();
        int patience = patience();
        return calls.make(
                number,
                operation,
                payload,
                doors.get(door),
                it -> lines.get(door).exchange(it, patience));
    }

    private int anyDoor() {
        return luck.nextInt(doors.size());
    }

    private int patience() {
        return luck.nextInt(SHORTEST_PATIENCE_MILLIS, LONGEST_PATIENCE_MILLIS);
    }
}
