package dev.semel.torture.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Many clients at once. */
public final class Crowd {
    private final List<Thread> threads = new ArrayList<>();

    private Crowd() {}

    /** @param goesOn asked by every client before it does anything more */
    public static Crowd begin(
            int size,
            List<Door> doors,
            Operations operations,
            Calls calls,
            Habits habits,
            long seed,
            BooleanSupplier goesOn) {
        Crowd crowd = new Crowd();
        for (int i = 0; i < size; i++) {
            Client client = new Client(i, doors, operations, calls, habits, seed + i, goesOn);
            crowd.threads.add(Thread.ofVirtual().name("client-", i).start(client));
        }
        return crowd;
    }

    /** Returns when the last one has gone home. */
    public void end() throws InterruptedException {
        for (Thread thread : threads) thread.join();
    }
}
