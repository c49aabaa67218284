package dev.semel.broker.webhook.delivery;

import dev.semel.broker.webhook.delivery.DeliveryRules.Next;
import dev.semel.broker.webhook.endpoint.Endpoint;
import dev.semel.broker.webhook.endpoint.EndpointRows;
import dev.semel.broker.webhook.endpoint.SecretSeal;
import dev.semel.broker.webhook.http.Answer;
import dev.semel.broker.webhook.http.EndpointUrl;
import dev.semel.broker.webhook.http.HttpPost;
import dev.semel.broker.webhook.tables.Transactions;
import dev.semel.webhook.SigningKey;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Takes deliveries that are due, sends them, and writes down what came of it. Any number may work on the same tables.
 *
 * <p>Crash points: after a delivery was taken (W1), or sent (W2), and before what came of it is written down, the lease ends and
 * somebody sends it again, with the same id. The lease is longer than a request may take, so the two never overlap.
 */
public final class WebhookSender implements AutoCloseable {
    /** A request begins within this time of its lease, or not at all. */
    private static final Duration BEGINS_WITHIN = Duration.ofSeconds(10);

    /** What is left to write down what came of it. */
    private static final Duration MARGIN = Duration.ofSeconds(20);

    private static final Duration BETWEEN_HOUSEKEEPING = Duration.ofMinutes(1);
    private static final Duration UNUSABLE_FOR = Duration.ofSeconds(10);
    private static final int CONNECTIONS = 3;
    private static final int TRIES_TO_SETTLE = 5;

    private final Transactions transactions;
    private final SecretSeal seal;
    private final HttpPost http;
    private final SenderSettings settings;
    private final WebhookEvent.Listener listener;
    private final Housekeeping housekeeping;
    private final InFlight inFlight;

    /** The relay's own connections must not have to wait for those of many deliveries. */
    private final Semaphore connections = new Semaphore(CONNECTIONS);

    private final Semaphore work = new Semaphore(0);
    private final Map<UUID, Long> unusableUntil = new HashMap<>();
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("webhook-", 0).factory());
    private final Thread loop = Thread.ofVirtual().name("webhook-sender").unstarted(this::run);
    private volatile boolean stopping;

    private WebhookSender(
            Transactions transactions,
            SecretSeal seal,
            HttpPost http,
            SenderSettings settings,
            WebhookEvent.Listener listener) {
        this.transactions = transactions;
        this.seal = seal;
        this.http = http;
        this.settings = settings;
        this.listener = listener.quiet();
        this.housekeeping = new Housekeeping(settings.keep(), settings.keepDead());
        this.inFlight = new InFlight(settings.atOnce(), settings.atOncePerEndpoint());
    }

    public static WebhookSender start(
            Transactions transactions,
            SecretSeal seal,
            HttpPost http,
            SenderSettings settings,
            WebhookEvent.Listener listener) {
        WebhookSender sender = new WebhookSender(transactions, seal, http, settings, listener);
        sender.loop.start();
        return sender;
    }

    /** Says that there may be something to do. */
    public void signal() {
        work.release();
    }

    private void run() {
        long nextHousekeeping = System.nanoTime();
        while (!stopping) {
            boolean more = attempt("take deliveries", this::takeAll);
            if (System.nanoTime() - nextHousekeeping >= 0) {
                boolean again = attempt("clean up", this::keepHouse);
                nextHousekeeping = System.nanoTime() + (again ? 0 : BETWEEN_HOUSEKEEPING.toNanos());
            }
            if (!more) await();
        }
    }

    @FunctionalInterface
    private interface Step {
        boolean run() throws SQLException, InterruptedException;
    }

    /** Nothing ends the loop but its end. */
    private boolean attempt(String what, Step step) {
        try {
            connections.acquire();
            try {
                return step.run();
            } finally {
                connections.release();
            }
        } catch (SQLException e) {
            listener.on(new WebhookEvent.DatabaseAway(String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            listener.on(new WebhookEvent.Defect(what, e));
        } catch (InterruptedException e) {
            stopping = true;
        }
        return false;
    }

    private void await() {
        try {
            if (work.tryAcquire(settings.idle().toMillis(), TimeUnit.MILLISECONDS)) work.drainPermits();
        } catch (InterruptedException e) {
            stopping = true;
        }
    }

    private boolean keepHouse() throws SQLException {
        Housekeeping.Round round = transactions.run(housekeeping::run);
        if (round.expired() > 0) listener.on(new WebhookEvent.Expired(round.expired()));
        return round.more();
    }

    /** @return whether there may be more to take at once */
    private boolean takeAll() throws SQLException {
        List<Endpoint> ready = new ArrayList<>(transactions.run(DeliveryTables::ready));
        ready.sort(Comparator.comparingInt(it -> inFlight.to(it.id())));
        boolean more = false;
        for (Endpoint endpoint : ready) {
            int room = inFlight.roomFor(endpoint.id());
            if (room > 0 && !isLeftAlone(endpoint)) more |= take(endpoint, room) == room;
        }
        return more && !stopping;
    }

    private boolean isLeftAlone(Endpoint endpoint) {
        Long until = unusableUntil.get(endpoint.id());
        if (until == null) return false;
        if (System.nanoTime() - until < 0) return true;
        unusableUntil.remove(endpoint.id());
        return false;
    }

    /** What requests to an endpoint are made with, and since when its leases run: measured before the database was asked. */
    private record Means(EndpointUrl url, List<SigningKey> keys, Instant now, long began) {}

    private int take(Endpoint endpoint, int room) throws SQLException {
        long began = System.nanoTime();
        Duration lease = endpoint.plan().timeout().plus(BEGINS_WITHIN).plus(MARGIN);
        try {
            EndpointUrl url = EndpointUrl.parse(endpoint.plan().url(), settings.plainAllowed());
            List<Runnable> sends = transactions.run((connection, now) -> {
                List<SigningKey> keys = EndpointRows.liveKeys(connection, seal, endpoint.id(), now);
                if (keys.isEmpty()) throw new IllegalStateException("It has no secret to sign with.");
                Means means = new Means(url, keys, now, began);
                return DeliveryTables.take(connection, endpoint, room, now, lease).stream()
                        .<Runnable>map(taken -> () -> deliver(taken, means))
                        .toList();
            });
            // W1: taken, not sent.
            for (Runnable send : sends) {
                inFlight.begin(endpoint.id());
                threads.execute(send);
            }
            return sends.size();
        } catch (IllegalArgumentException | IllegalStateException e) {
            unusableUntil.put(endpoint.id(), System.nanoTime() + UNUSABLE_FOR.toNanos());
            listener.on(new WebhookEvent.EndpointUnusable(endpoint.id(), String.valueOf(e.getMessage())));
            return 0;
        }
    }

    private void deliver(TakenDelivery taken, Means means) {
        try {
            Duration waited = Duration.ofNanos(System.nanoTime() - means.began());
            if (stopping || waited.compareTo(BEGINS_WITHIN) > 0) giveBack(taken);
            else send(taken, means, means.now().plus(waited));
        } catch (InterruptedException e) {
            // Whether it arrived is not known; the lease ends, and it is sent again.
        } catch (RuntimeException e) {
            listener.on(new WebhookEvent.Defect("send a webhook", e));
        } finally {
            inFlight.end(taken.endpoint().id());
            signal();
        }
    }

    private void send(TakenDelivery taken, Means means, Instant now) throws InterruptedException {
        Endpoint.Plan plan = taken.endpoint().plan();
        long began = System.nanoTime();
        Answer answer = http.send(SignedRequest.of(taken.message(), means.url(), means.keys(), now, plan.timeout()));
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        // W2: answered, not yet written down.
        write(() -> transactions
                .run((connection, settledAt) -> {
                    Duration age = Duration.between(taken.createdAt(), settledAt);
                    Next next = DeliveryRules.after(
                            answer,
                            taken.attempts() + 1,
                            age,
                            plan.maxAge(),
                            ThreadLocalRandom.current().nextDouble());
                    return DeliveryTables.settle(connection, taken, answer, next, took, settledAt);
                })
                .forEach(listener::on));
    }

    private void giveBack(TakenDelivery taken) throws InterruptedException {
        write(() -> transactions.run((connection, now) -> {
            DeliveryTables.giveBack(connection, taken, now);
            return taken;
        }));
    }

    @FunctionalInterface
    private interface Write {
        void run() throws SQLException;
    }

    /** Tries a few times. Twice is no harm: only the first one still finds the lease. */
    private void write(Write write) throws InterruptedException {
        for (int tries = 1; ; tries++) {
            connections.acquire();
            try {
                write.run();
                return;
            } catch (SQLException e) {
                listener.on(new WebhookEvent.DatabaseAway(String.valueOf(e.getMessage())));
                if (tries == TRIES_TO_SETTLE) return;
            } finally {
                connections.release();
            }
            TimeUnit.MILLISECONDS.sleep(50L << tries);
        }
    }

    /** Stops it: what is under way is waited for and written down, for a while. The rest is sent again when its leases end. */
    @Override
    public void close() {
        close(Duration.ofSeconds(10));
    }

    public void close(Duration grace) {
        stopping = true;
        signal();
        try {
            loop.join(grace);
            inFlight.awaitNone(grace);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.shutdownNow();
        loop.interrupt();
    }
}
