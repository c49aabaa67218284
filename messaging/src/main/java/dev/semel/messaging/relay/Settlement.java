package dev.semel.messaging.relay;

import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.tables.OutboxTables;
import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import dev.semel.messaging.tables.OutboxTables.ParkedRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What is to be written down of several shipments at once. Written again when the database did not answer. For the loop alone. */
final class Settlement {
    private final HeldBack heldBack;
    private final RelaySettings settings;
    private final RelayEvent.Listener listener;

    private final Set<ShardLease> leases = new HashSet<>();
    private final List<OutboxRow> sent = new ArrayList<>();
    private final List<ParkedRow> dead = new ArrayList<>();
    private final List<OutboxRow> sentLetters = new ArrayList<>();
    private final List<ParkedRow> refusedLetters = new ArrayList<>();

    Settlement(HeldBack heldBack, RelaySettings settings, RelayEvent.Listener listener) {
        this.heldBack = heldBack;
        this.settings = settings;
        this.listener = listener;
    }

    boolean isEmpty() {
        return sent.isEmpty() && dead.isEmpty() && sentLetters.isEmpty() && refusedLetters.isEmpty();
    }

    Set<ShardLease> leases() {
        return leases;
    }

    /** @return whether the broker took anything, and whether it was away */
    Outcome add(Shipment shipment, List<Delivery> deliveries) {
        leases.add(shipment.lease());
        boolean anySent = false;
        String away = null;
        for (int i = 0; i < deliveries.size(); i++) {
            OutboxRow row = shipment.rows().get(i);
            switch (deliveries.get(i)) {
                case Delivery.Sent it -> {
                    anySent = true;
                    heldBack.forget(row);
                    (shipment.letters() ? sentLetters : sent).add(row);
                }
                case Delivery.Dead(String kind, String reason) ->
                    park(shipment, new ParkedRow(row, kind, reason, row.attempts() + 1));
                case Delivery.Retry(String reason, Delivery.Cause cause) -> {
                    if (cause == Delivery.Cause.BROKER) away = reason;
                    retry(shipment, row, reason, cause);
                }
            }
        }
        return new Outcome(anySent, away);
    }

    record Outcome(
            boolean anySent,
            @org.jspecify.annotations.Nullable String away) {}

    private void retry(Shipment shipment, OutboxRow row, String reason, Delivery.Cause cause) {
        if (cause != Delivery.Cause.MESSAGE) return;
        listener.on(new RelayEvent.Retried(row.message().id(), row.message().topic(), reason));
        if (shipment.letters()) park(shipment, new ParkedRow(row, "refused", reason, row.attempts() + 1));
        else {
            int attempts = heldBack.failed(row);
            if (attempts >= settings.attempts()) park(shipment, new ParkedRow(row, "refused", reason, attempts));
        }
    }

    private void park(Shipment shipment, ParkedRow row) {
        heldBack.forget(row.row());
        (shipment.letters() ? refusedLetters : dead).add(row);
    }

    /** Those that were read behind a parked key. */
    void trailing(ShardLease lease, List<OutboxRow> tails) {
        leases.add(lease);
        for (OutboxRow row : tails)
            dead.add(new ParkedRow(row, ParkedRow.TAIL, "waits behind another message of its key", 0));
    }

    /**
     * Writes all of it, what was sent first. After an exception some of it may be written: it is then written once more, which
     * changes nothing.
     *
     * @return the leases that are lost
     */
    Set<ShardLease> write(Connection connection, OutboxTables tables) throws SQLException {
        Set<ShardLease> lost = new HashSet<>(leases);
        Set<ShardLease> kept = new HashSet<>(leases);
        if (!sent.isEmpty()) kept.retainAll(tables.deleteSent(connection, leases, sent));
        if (!dead.isEmpty()) kept.retainAll(tables.park(connection, leases, dead));
        if (!sentLetters.isEmpty() || !refusedLetters.isEmpty())
            kept.retainAll(tables.settleLetters(connection, leases, sentLetters, refusedLetters));
        lost.removeAll(kept);
        Set<Integer> shards = kept.stream().map(ShardLease::shard).collect(Collectors.toSet());
        tell(of(shards, sent), of(shards, sentLetters), parkedOf(shards, dead), parkedOf(shards, refusedLetters));
        return lost;
    }

    private static List<OutboxRow> of(Set<Integer> shards, List<OutboxRow> rows) {
        return rows.stream().filter(row -> shards.contains(row.shard())).toList();
    }

    private static List<ParkedRow> parkedOf(Set<Integer> shards, List<ParkedRow> rows) {
        return rows.stream().filter(row -> shards.contains(row.row().shard())).toList();
    }

    /** What another relay has taken over is its own to tell. */
    private void tell(
            List<OutboxRow> sent, List<OutboxRow> sentLetters, List<ParkedRow> dead, List<ParkedRow> refusedLetters) {
        RelayTimes.oldest(sent).ifPresent(age -> listener.on(new RelayEvent.Sent(sent.size(), age)));
        if (!sentLetters.isEmpty()) listener.on(new RelayEvent.Sent(sentLetters.size(), null));
        long tails = dead.stream().filter(ParkedRow::isTail).count();
        if (tails > 0) listener.on(new RelayEvent.Trailing((int) tails));
        for (ParkedRow row : dead) if (!row.isTail()) tellParked(row);
        refusedLetters.forEach(this::tellParked);
    }

    private void tellParked(ParkedRow row) {
        listener.on(new RelayEvent.Parked(
                row.row().message().id(), row.row().message().topic(), row.kind(), row.error()));
    }
}
