package dev.semel.torture.run;

import dev.semel.torture.client.ClientBehaviour;
import dev.semel.torture.client.Door;
import dev.semel.torture.nemesis.FaultKind;
import dev.semel.torture.system.StoreKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * What to do to whom.
 *
 * @param store the title of a {@link StoreKind} for one of the run's own, {@code rocksdb} also with {@code ?…} behind; or the
 *     URL of somebody else's
 * @param doors through which clients come
 * @param gateways how many, where that door is open
 * @param libraries how many services with the library in them, where that door is open
 * @param behaviour what the clients do
 * @param slowPercent how many answers in a hundred the service behind takes its time with
 * @param duration how long the clients go on, at most
 * @param operations how many operations they ask for, at most
 * @param seed of faults and clients
 * @param report where the history and what was found are written
 */
public record Options(
        String store,
        Set<Door> doors,
        int gateways,
        int libraries,
        int clients,
        ClientBehaviour behaviour,
        int slowPercent,
        Duration duration,
        int operations,
        Set<FaultKind> faults,
        long seed,
        Path report) {
    public static final int DEFAULT_SLOW_PERCENT = 2;

    /** So many operations that time ends the run first. */
    public static final int UNLIMITED = Integer.MAX_VALUE / 2;

    private static final String ROCKSDB = "rocksdb";

    /** A folder belongs to one process. */
    public static boolean isForOne(String store) {
        return store.startsWith(ROCKSDB);
    }

    /** Whether an effect can join a transaction of its store, which a service with the library needs. */
    public static boolean joins(String store) {
        return StoreKind.of(store) == StoreKind.POSTGRESQL || store.startsWith("jdbc:postgresql:");
    }

    StoreKind kind() {
        return StoreKind.of(store);
    }
}
