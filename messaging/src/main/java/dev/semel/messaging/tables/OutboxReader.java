package dev.semel.messaging.tables;

import dev.semel.messaging.broker.ShardLease;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Reads what is to be sent. */
public interface OutboxReader {

    /**
     * Of each shard the first messages that are committed, in order, but for what is held back. What was committed before the
     * call is never passed over.
     *
     * @param perShard how many of each at most
     * @return for each lease that still is the newest of its shard its messages, perhaps none; other leases are not in it
     */
    Map<ShardLease, List<OutboxTables.OutboxRow>> read(
            Connection connection, Collection<ShardLease> leases, OutboxTables.Holds holds, int perShard)
            throws SQLException;
}
