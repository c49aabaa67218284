package dev.semel.messaging.relay;

import dev.semel.core.time.EngineTime;
import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.tables.OutboxTables;
import dev.semel.messaging.tables.OutboxTables.LeaseRound;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import javax.sql.DataSource;

/**
 * Keeps the leases of a relay, on a thread and a connection of its own: however long the loop takes over something, it does not
 * lose them for it.
 */
final class LeaseKeeper implements Runnable {
    private final String relay;
    private final DataSource database;
    private final OutboxTables tables;
    private final Broker broker;
    private final HeldShards shards;
    private final RelaySettings settings;
    private final EngineTime time;
    private final RelayEvent.Listener listener;
    private final Wakeup work;
    private final Wakeup stop = new Wakeup();
    private final ThreadFactory opening;
    private volatile boolean stopping;

    LeaseKeeper(
            String relay,
            DataSource database,
            OutboxTables tables,
            Broker broker,
            HeldShards shards,
            RelaySettings settings,
            EngineTime time,
            RelayEvent.Listener listener,
            Wakeup work) {
        this.relay = relay;
        this.database = database;
        this.tables = tables;
        this.broker = broker;
        this.shards = shards;
        this.settings = settings;
        this.time = time;
        this.listener = listener;
        this.work = work;
        this.opening = Thread.ofVirtual().name(relay + "-opens-", 0).factory();
    }

    @Override
    public void run() {
        try (Wakeup.Waiter waiter = stop.waiter()) {
            while (!stopping) {
                try (Connection connection = database.getConnection()) {
                    renew(connection);
                } catch (SQLException e) {
                    listener.on(new RelayEvent.DatabaseAway(String.valueOf(e.getMessage())));
                } catch (RuntimeException e) {
                    listener.on(new RelayEvent.Failed("renew its leases", e));
                }
                waiter.await(time, time.nanos() + settings.lease().toNanos() / 10);
            }
        }
    }

    /** Time is taken before the database is asked: its lease is over later than ours. */
    void renew(Connection connection) throws SQLException {
        long until = time.nanos() + settings.lease().toNanos();
        List<ShardLease> before = shards.leases();
        List<ShardLease> givenBack = shards.leavable();
        LeaseRound round = tables.renew(connection, relay, before, givenBack, settings.lease());
        Set<ShardLease> gone = new HashSet<>(before);
        round.held().forEach(gone::remove);
        gone.forEach(lease -> drop(lease, !givenBack.contains(lease)));
        for (ShardLease lease : round.held()) if (shards.renewed(lease, until)) open(lease);
        shards.giveBack(Math.max(0, round.held().size() - round.share()));
    }

    /** Somebody else has it, or it was given back. */
    void drop(ShardLease lease, boolean lost) {
        if (!shards.has(lease)) return;
        Publisher publisher = shards.remove(lease);
        if (publisher != null) opening.newThread(publisher::close).start();
        listener.on(lost ? new RelayEvent.LeaseLost(lease) : new RelayEvent.LeaseGivenBack(lease));
    }

    private void open(ShardLease lease) {
        listener.on(new RelayEvent.LeaseTaken(lease));
        opening.newThread(() -> openUntilItSucceeds(lease)).start();
    }

    private void openUntilItSucceeds(ShardLease lease) {
        for (int failures = 0; !stopping && shards.has(lease); failures++) {
            try {
                Publisher publisher = broker.open(lease);
                if (!shards.opened(lease, publisher)) publisher.close();
                work.signal();
                return;
            } catch (BrokerException e) {
                listener.on(new RelayEvent.BrokerAway(lease.shard(), String.valueOf(e.getMessage())));
            } catch (RuntimeException e) {
                listener.on(new RelayEvent.Failed("open shard " + lease.shard() + " at the broker", e));
            }
            try (Wakeup.Waiter waiter = stop.waiter()) {
                waiter.await(time, time.nanos() + settings.pause(failures).toNanos());
            }
        }
    }

    void stop() {
        stopping = true;
        stop.signal();
    }

    /** After the loop has ended: gives everything back, so that others need not wait. */
    void leave() {
        for (ShardLease lease : shards.leases()) drop(lease, false);
        try (Connection connection = database.getConnection()) {
            tables.leave(connection, relay);
        } catch (SQLException e) {
            listener.on(new RelayEvent.DatabaseAway(String.valueOf(e.getMessage())));
        }
    }
}
