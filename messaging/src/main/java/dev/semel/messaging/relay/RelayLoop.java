package dev.semel.messaging.relay;

import dev.semel.core.time.EngineTime;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.tables.OutboxReader;
import dev.semel.messaging.tables.OutboxTables;
import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The loop of a relay: writes down what the broker has answered, reads what waits in the shards that nothing is going on in, and
 * hands it to the broker, a thread each shard. One thread reads and writes for all shards, so many share a statement.
 *
 * <p>Of a shard one shipment is under way at a time, and it is read again only after that is written down. So nothing is sent
 * twice by one relay, but after a lost answer, and nothing overtakes.
 */
final class RelayLoop implements Runnable {
    private static final int LETTERS = 100;
    private static final Duration BETWEEN_LETTERS = Duration.ofMillis(500);

    private final DataSource database;
    private final OutboxTables tables;
    private final LeaseKeeper keeper;
    private final HeldShards shards;
    private final HeldBack heldBack;
    private final Duration longestPublish;
    private final RelaySettings settings;
    private final EngineTime time;
    private final RelayEvent.Listener listener;
    private final Wakeup work;
    private final OutboxReader reader;
    private final ThreadFactory sending;
    private final Queue<Shipment.Result> results = new ConcurrentLinkedQueue<>();

    /** What the database has not taken yet. */
    private @Nullable Settlement unwritten;

    private int underWay;
    private long nextLetters;
    private int databaseFailures;
    private volatile boolean stopping;

    RelayLoop(
            DataSource database,
            OutboxTables tables,
            LeaseKeeper keeper,
            HeldShards shards,
            Duration longestPublish,
            RelaySettings settings,
            EngineTime time,
            RelayEvent.Listener listener,
            Wakeup work,
            ThreadFactory sending) {
        this.database = database;
        this.tables = tables;
        this.keeper = keeper;
        this.shards = shards;
        this.heldBack = new HeldBack(time, settings);
        this.longestPublish = longestPublish;
        this.settings = settings;
        this.time = time;
        this.listener = listener;
        this.work = work;
        this.sending = sending;
        this.reader = tables.reader();
        this.nextLetters = time.nanos();
    }

    @Override
    public void run() {
        Duration pause = settings.busyPoll();
        try (Wakeup.Waiter waiter = work.waiter()) {
            while (!isOver()) {
                boolean progress = roundOrPause();
                pause = progress ? settings.busyPoll() : longer(pause);
                waiter.await(time, time.nanos() + pause.toNanos());
            }
        }
    }

    /** What is under way is waited for, and written down. */
    private boolean isOver() {
        boolean isDone = stopping && underWay == 0 && results.isEmpty() && unwritten == null;
        return isDone || Thread.currentThread().isInterrupted();
    }

    private Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(settings.idlePoll()) < 0 ? twice : settings.idlePoll();
    }

    private boolean roundOrPause() {
        try (Connection connection = database.getConnection()) {
            boolean progress = round(connection);
            databaseFailures = 0;
            return progress;
        } catch (SQLException e) {
            if (databaseFailures++ == 0 || databaseFailures % 100 == 0)
                listener.on(new RelayEvent.DatabaseAway(String.valueOf(e.getMessage())));
            return false;
        } catch (RuntimeException e) {
            listener.on(new RelayEvent.Failed("look after the outbox", e));
            startOver();
            return false;
        }
    }

    /** What was going on is not known any more; what was sent and is not written down is sent again, with the same ids. */
    private void startOver() {
        unwritten = null;
        shards.leases().forEach(this::lost);
    }

    /** @return whether anything was there to do */
    private boolean round(Connection connection) throws SQLException {
        boolean settled = settle(connection);
        if (stopping) return settled;
        boolean letters = sendLetters(connection);
        boolean waiting = sendWaiting(connection);
        return settled || letters || waiting;
    }

    private boolean settle(Connection connection) throws SQLException {
        Settlement settlement = unwritten == null ? new Settlement(heldBack, settings, listener) : unwritten;
        List<ShardLease> ended = new ArrayList<>();
        for (Shipment.Result result = results.poll(); result != null; result = results.poll()) {
            underWay--;
            if (!take(result, settlement)) ended.add(result.shipment().lease());
        }
        shards.end(ended);
        if (settlement.isEmpty()) {
            shards.end(settlement.leases());
            return !ended.isEmpty() || !settlement.leases().isEmpty();
        }
        unwritten = settlement;
        settlement.write(connection, tables).forEach(this::lost);
        unwritten = null;
        shards.end(settlement.leases());
        return true;
    }

    /** @return whether there is something to be written before the shard can go on */
    private boolean take(Shipment.Result result, Settlement settlement) {
        ShardLease lease = result.shipment().lease();
        switch (result) {
            case Shipment.Result.Answered(Shipment shipment, var deliveries) -> {
                Settlement.Outcome outcome = settlement.add(shipment, deliveries);
                if (outcome.away() != null) away(lease, outcome.away());
                else if (outcome.anySent()) shards.succeeded(lease);
                return true;
            }
            case Shipment.Result.Unknown(Shipment shipment, String reason) -> {
                away(lease, reason);
                return false;
            }
            case Shipment.Result.Fenced it -> {
                lost(lease);
                return false;
            }
        }
    }

    private void away(ShardLease lease, String reason) {
        shards.pause(lease);
        listener.on(new RelayEvent.BrokerAway(lease.shard(), reason));
    }

    private void lost(ShardLease lease) {
        heldBack.forgetShard(lease.shard());
        keeper.drop(lease, true);
    }

    /** Dead letters that are to be tried again go before what waits in their shard. */
    private boolean sendLetters(Connection connection) throws SQLException {
        if (time.nanos() - nextLetters < 0) return false;
        List<ShardLease> ready = ready();
        if (ready.isEmpty()) return false;
        tables.letters().advance(connection);
        Map<Integer, List<OutboxRow>> letters = new HashMap<>();
        for (OutboxRow row : tables.dueLetters(connection, ready, LETTERS))
            letters.computeIfAbsent(row.shard(), shard -> new ArrayList<>()).add(row);
        for (ShardLease lease : ready)
            if (letters.containsKey(lease.shard()))
                start(new Shipment(lease, letters.getOrDefault(lease.shard(), List.of()), true));
        if (letters.isEmpty()) nextLetters = time.nanos() + BETWEEN_LETTERS.toNanos();
        return !letters.isEmpty();
    }

    private boolean sendWaiting(Connection connection) throws SQLException {
        List<ShardLease> ready = ready();
        if (ready.isEmpty()) return false;
        Map<ShardLease, List<OutboxRow>> waiting = reader.read(connection, ready, heldBack.now(), settings.batch());
        Set<ShardLease> gone = new HashSet<>(ready);
        gone.removeAll(waiting.keySet());
        gone.forEach(this::lost);
        boolean any = false;
        Settlement tails = new Settlement(heldBack, settings, listener);
        for (Map.Entry<ShardLease, List<OutboxRow>> shard : waiting.entrySet()) {
            any |= !shard.getValue().isEmpty();
            List<OutboxRow> behind =
                    shard.getValue().stream().filter(OutboxRow::behindParked).toList();
            if (!behind.isEmpty()) tails.trailing(shard.getKey(), behind);
            List<OutboxRow> next =
                    shard.getValue().stream().filter(row -> !row.behindParked()).toList();
            if (!next.isEmpty()) start(new Shipment(shard.getKey(), next, false));
        }
        if (!tails.isEmpty()) tails.write(connection, tables).forEach(this::lost);
        return any;
    }

    /** Nothing is begun that might not be over before the lease is. */
    private List<ShardLease> ready() {
        return shards.ready(time.nanos() + longestPublish.toNanos());
    }

    private void start(Shipment shipment) {
        Publisher publisher = shards.begin(shipment.lease());
        if (publisher == null) return;
        underWay++;
        sending.newThread(() -> {
                    results.add(shipment.send(publisher));
                    work.signal();
                })
                .start();
    }

    void stop() {
        stopping = true;
        work.signal();
    }
}
