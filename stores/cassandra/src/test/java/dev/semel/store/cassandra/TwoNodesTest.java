package dev.semel.store.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import dev.semel.core.store.StoreTraits.Survives;
import dev.semel.testkit.cassandra.CassandraServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A key with two replicas, of which both must agree: what becomes of it when one is gone. */
@Timeout(180)
class TwoNodesTest {
    private static final CassandraOptions OPTIONS = CassandraOptions.DEFAULT.withSkew(Duration.ZERO);

    /** How soon a silent node counts as dead: about six seconds, and not eighteen. */
    private static final String QUICK_TO_CONVICT = "phi_convict_threshold: 5";

    private static Folder firstFolder;
    private static Folder secondFolder;
    private static CassandraServer first;
    private static CassandraServer second;
    private static String url;

    @BeforeAll
    static void start() {
        firstFolder = Folder.inTarget();
        secondFolder = Folder.inTarget();
        first = CassandraServer.start(firstFolder.path(), QUICK_TO_CONVICT);
        second = first.launchSecondNode(secondFolder.path(), QUICK_TO_CONVICT);
        second.awaitConnections();
        url = first.url("two") + "&create=true";
        try (RawTable raw = RawTable.of(first.port(), "system")) {
            await(() -> raw.rows("select peer from system.peers_v2").size() == 1);
        }
    }

    @AfterAll
    static void end() {
        second.close();
        first.close();
        secondFolder.close();
        firstFolder.close();
    }

    private static void await(BooleanSupplier event) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!event.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, "waited in vain");
            LockSupport.parkNanos(50_000_000);
        }
    }

    @Test
    void without_a_quorum_nothing_is_written_and_that_is_said_and_it_passes_by_itself() {
        try (CassandraKeyStore store = CassandraKeyStore.open(url, OPTIONS)) {
            assertEquals(Survives.NOTHING, store.traits().survives(), "two replicas, and a log that is synced late");
            KeyRecord held = Keys.insert(store, "before");
            second.kill9();
            List<String> unknown = new ArrayList<>();
            int keys = 0;
            while (true) {
                String key = "key " + keys++;
                StoreException failure = assertThrows(StoreException.class, () -> store.insert(Keys.claim(key)));
                if (failure.applied() == Applied.UNKNOWN) unknown.add(key);
                else if (failure.getCause() instanceof UnavailableException) {
                    assertTrue(failure.getMessage().contains("2 are needed at SERIAL, 1 are there"));
                    assertTrue(failure.getMessage().contains("safe to try again"), failure.getMessage());
                    break;
                }
            }
            assertThrows(StoreException.class, () -> store.find(held.id()));
            second.restart();
            await(() -> isFound(store, held));
            Keys.insert(store, "key " + (keys - 1));
            for (String key : unknown) assertTrue(isKnownNow(store, key), key);
        }
    }

    private static boolean isFound(CassandraKeyStore store, KeyRecord record) {
        try {
            return record.equals(store.find(record.id()).record());
        } catch (StoreException e) {
            return false;
        }
    }

    /** Either it is there, or it is free to be claimed; never something in between. */
    private static boolean isKnownNow(CassandraKeyStore store, String key) {
        boolean there = store.find(Keys.id(key)) != null;
        return there == store.insert(Keys.claim(key)) instanceof Inserted.Existing;
    }
}
