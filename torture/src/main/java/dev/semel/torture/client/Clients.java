package dev.semel.torture.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Many clients at once. */
public final class Clients {
    private final List<Thread> threads = new ArrayList<>();

    private Clients() {}

    /** @param goesOn asked by every client before it does anything more */
    public static Clients start(
            int size,
            List<Endpoint> endpoints,
            Operations operations,
            Calls calls,
            ClientBehaviour behaviour,
            long seed,
            BooleanSupplier goesOn) {
        Clients clients = new Clients();
        for (int i = 0; i < size; i++) {
            Client client = new Client(i, endpoints, operations, calls, behaviour, seed + i, goesOn);
            clients.threads.add(Thread.ofVirtual().name("client-", i).start(client));
        }
        return clients;
    }

    /** Returns when the last one is done. */
    public void end() throws InterruptedException {
        for (Thread thread : threads) thread.join();
    }
}
