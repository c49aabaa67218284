package dev.semel.torture.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One who calls: mostly asks for something new, and again if no answer comes; now and then comes back for something old,
 * asks several gateways at once, hangs up, or uses a key for something else. For one thread.
 */
final class Client implements Runnable {
    private static final int MAX_TRIES = 6;
    private static final int FIRST_PAUSE_MILLIS = 20;

    private final int number;
    private final List<Endpoint> endpoints;
    private final List<GatewayConnection> connections;
    private final Operations operations;
    private final Calls calls;
    private final ClientBehaviour behaviour;
    private final Random random;
    private final BooleanSupplier goesOn;

    Client(
            int number,
            List<Endpoint> endpoints,
            Operations operations,
            Calls calls,
            ClientBehaviour behaviour,
            long seed,
            BooleanSupplier goesOn) {
        this.number = number;
        this.endpoints = endpoints;
        this.connections = endpoints.stream()
                .map(endpoint -> new GatewayConnection(endpoint.address()))
                .toList();
        this.operations = operations;
        this.calls = calls;
        this.behaviour = behaviour;
        this.random = new Random(seed);
        this.goesOn = goesOn;
    }

    @Override
    public void run() {
        try {
            while (goesOn.getAsBoolean()) act(next());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.forEach(GatewayConnection::close);
        }
    }

    private Operation next() {
        int dice = random.nextInt(100);
        if (dice < 50) return operations.fresh(random);
        return dice < 75 ? operations.recent(random) : operations.old(random);
    }

    private void act(Operation operation) throws InterruptedException {
        switch (behaviour.next(random)) {
            case HANG_UP_WHILE_ASKING -> hangUpWhileAsking(operation);
            case HANG_UP_ON_ANSWER -> hangUpOnAnswer(operation);
            case ASK_FOR_SOMETHING_ELSE -> ask(operation, operation.otherPayload());
            case ASK_SEVERAL_GATEWAYS -> askSeveralGateways(operation);
            case ASK_UNTIL_ANSWERED -> askUntilAnswered(operation);
        }
    }

    private void hangUpWhileAsking(Operation operation) {
        int endpoint = anyEndpoint(operation);
        boolean reset = random.nextBoolean();
        double part = random.nextDouble();
        calls.make(number, operation, operation.payload(), endpoints.get(endpoint), request -> {
            connections.get(endpoint).sendAndHangUp(request, (int) Math.ceil(part * request.length), reset);
            return null;
        });
    }

    private void hangUpOnAnswer(Operation operation) {
        int endpoint = anyEndpoint(operation);
        calls.make(number, operation, operation.payload(), endpoints.get(endpoint), request -> {
            connections.get(endpoint).hangUpOnAnswer(request, behaviour.timeoutMillis(random));
            return null;
        });
    }

    /** At the same time, and each until there is an answer. */
    private void askSeveralGateways(Operation operation) throws InterruptedException {
        int count = 2 + random.nextInt(3);
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Client other = new Client(number, endpoints, operations, calls, behaviour, random.nextLong(), goesOn);
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
            connections.forEach(GatewayConnection::close);
        }
    }

    /** Or until it is tired of it; somebody else may come back for the operation later. */
    private void askUntilAnswered(Operation operation) throws InterruptedException {
        int tries = 1 + random.nextInt(MAX_TRIES);
        for (int i = 0; i < tries && goesOn.getAsBoolean(); i++) {
            Answer answer = ask(operation, operation.payload());
            if (answer != null && answer.status() < 300) return;
            Thread.sleep(random.nextInt(FIRST_PAUSE_MILLIS << i));
        }
    }

    private @Nullable Answer ask(Operation operation, int payload) {
        int endpoint = anyEndpoint(operation);
        int timeout = behaviour.timeoutMillis(random);
        return calls.make(
                number,
                operation,
                payload,
                endpoints.get(endpoint),
                it -> connections.get(endpoint).exchange(it, timeout));
    }

    private int anyEndpoint(Operation operation) {
        int[] fitting = IntStream.range(0, endpoints.size())
                .filter(i -> endpoints.get(i).door() == operation.door())
                .toArray();
        return fitting[random.nextInt(fitting.length)];
    }
}
