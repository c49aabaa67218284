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
    private static final int MOST_TRIES = 6;
    private static final int FIRST_PAUSE_MILLIS = 20;

    private final int number;
    private final List<Door> doors;
    private final List<Line> lines;
    private final Operations operations;
    private final Calls calls;
    private final Habits habits;
    private final Random luck;
    private final BooleanSupplier goesOn;

    Client(
            int number,
            List<Door> doors,
            Operations operations,
            Calls calls,
            Habits habits,
            long seed,
            BooleanSupplier goesOn) {
        this.number = number;
        this.doors = doors;
        this.lines = doors.stream().map(door -> new Line(door.address())).toList();
        this.operations = operations;
        this.calls = calls;
        this.habits = habits;
        this.luck = new Random(seed);
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
        if (dice < 50) return operations.fresh(luck);
        return dice < 75 ? operations.recent(luck) : operations.old(luck);
    }

    private void act(Operation operation) throws InterruptedException {
        switch (habits.next(luck)) {
            case HANG_UP_WHILE_ASKING -> hangUpWhileAsking(operation);
            case HANG_UP_ON_ANSWER -> hangUpOnAnswer(operation);
            case ASK_FOR_SOMETHING_ELSE -> ask(operation, operation.otherPayload());
            case ASK_AT_SEVERAL_DOORS -> askAtSeveralDoors(operation);
            case ASK_UNTIL_ANSWERED -> askUntilAnswered(operation);
        }
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
            lines.get(door).hangUpOnAnswer(request, habits.patienceMillis(luck));
            return null;
        });
    }

    /** At the same time, and each until there is an answer. */
    private void askAtSeveralDoors(Operation operation) throws InterruptedException {
        int count = 2 + luck.nextInt(3);
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Client other = new Client(number, doors, operations, calls, habits, luck.nextLong(), goesOn);
            others.add(Thread.ofVirtual().start(() -> other.askOnce(operation)));
        }
        for (Thread other : others) other.join();
    }

    private void askOnce(Operation operation) {
        try {
            askUntilAnswered(operation);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lines.forEach(Line::close);
        }
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
        int patience = habits.patienceMillis(luck);
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
}
