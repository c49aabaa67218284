package dev.semel.bench.library;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.bench.loop.Ledger;
import dev.semel.bench.loop.LoopServer;
import java.util.concurrent.atomic.AtomicLong;

/** The caller's transaction and nothing else: a retry takes effect again. Arguments as for {@link JoinedPeer}. */
public final class BarePeer {
    private BarePeer() {}

    public static void main(String[] args) throws Exception {
        AtomicLong effects = new AtomicLong();
        try (HikariDataSource pool = PeerPool.open(args[0], args[1])) {
            int rows = Integer.parseInt(args[3]);
            LoopServer.serve(number -> charge(pool, args[2] + number, rows, effects), effects);
        }
    }

    private static void charge(HikariDataSource pool, String key, int rows, AtomicLong effects) throws Exception {
        Ledger.check(Ledger.transact(pool, transaction -> {
            effects.incrementAndGet();
            return Ledger.charge(transaction, key, rows);
        }));
    }
}
