package dev.semel.bench.library;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.bench.loop.Ledger;
import dev.semel.bench.loop.LoopServer;
import dev.semel.core.Codec;
import dev.semel.core.Operation;
import dev.semel.core.Semel;
import dev.semel.store.jdbc.PostgresKeyStore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Semel inside the caller's transaction: claim, effect and outcome are one commit. Arguments: the JDBC URL, how many
 * connections, what stands in every key, and how many rows an operation adds.
 */
public final class JoinedPeer {
    private JoinedPeer() {}

    public static void main(String[] args) throws Exception {
        AtomicLong effects = new AtomicLong();
        try (HikariDataSource pool = PeerPool.open(args[0], args[1]);
                PostgresKeyStore store = PostgresKeyStore.open(pool);
                Semel semel = Semel.on(store).start()) {
            Operation<String> charge = semel.operation("charge", Codec.text());
            int rows = Integer.parseInt(args[3]);
            LoopServer.serve(number -> charge(charge, pool, args[2] + number, rows, effects), effects);
        }
    }

    private static void charge(
            Operation<String> charge, HikariDataSource pool, String key, int rows, AtomicLong effects)
            throws Exception {
        Ledger.check(Ledger.transact(
                pool,
                transaction -> charge.joining(transaction).once(key, "19.99 EUR", attempt -> {
                    effects.incrementAndGet();
                    return Ledger.charge(transaction, key, rows);
                })));
    }
}
