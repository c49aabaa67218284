package dev.semel.messaging.relay;

import dev.semel.core.key.TimeOrderedId;
import dev.semel.core.time.EngineTime;
import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.tables.OutboxTables;
import java.time.Duration;
import javax.sql.DataSource;

/** A relay that runs: its two threads. */
public final class RelayRun {
    private final LeaseKeeper keeper;
    private final RelayLoop loop;
    private final Thread keeping;
    private final Thread looping;

    private RelayRun(LeaseKeeper keeper, RelayLoop loop, Thread keeping, Thread looping) {
        this.keeper = keeper;
        this.loop = loop;
        this.keeping = keeping;
        this.looping = looping;
    }

    public static RelayRun start(
            String name,
            DataSource database,
            OutboxTables tables,
            Broker broker,
            RelaySettings settings,
            RelayEvent.Listener heardBy,
            Wakeup work) {
        requireLongEnough(settings.lease(), broker);
        RelayEvent.Listener listener = heardBy.quiet();
        EngineTime time = EngineTime.SYSTEM;
        String relay = name + "-" + TimeOrderedId.next();
        HeldShards shards = new HeldShards(time, settings);
        LeaseKeeper keeper = new LeaseKeeper(relay, database, tables, broker, shards, settings, time, listener, work);
        RelayLoop loop = new RelayLoop(
                database,
                tables,
                keeper,
                shards,
                broker.longestPublish(),
                settings,
                time,
                listener,
                work,
                Thread.ofVirtual().name(name + "-sends-", 0).factory());
        return new RelayRun(
                keeper,
                loop,
                Thread.ofVirtual().name(name + "-leases").start(keeper),
                Thread.ofVirtual().name(name + "-loop").start(loop));
    }

    private static void requireLongEnough(Duration lease, Broker broker) {
        if (lease.compareTo(broker.longestPublish()) <= 0)
            throw new IllegalStateException("The broker (" + broker.name() + ") may take " + broker.longestPublish()
                    + " to answer, and the lease of a shard is over after " + lease
                    + ": another relay would send while this one"
                    + " still does. Make the lease longer, or the broker's time-outs shorter.");
    }

    public void close(Duration grace) {
        loop.stop();
        try {
            looping.join(grace);
            keeper.stop();
            keeping.join(grace);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        looping.interrupt();
        keeper.stop();
        keeper.leave();
    }
}
