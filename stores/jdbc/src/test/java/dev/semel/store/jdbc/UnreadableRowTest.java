package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyState.Kind;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.Listing;
import dev.semel.core.store.Next;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One row that cannot be read is the trouble of its own key, and of nobody else. */
class UnreadableRowTest extends OnEachPostgres {
    private PostgresKeyStore store;
    private Sql sql;

    /** Ten keys are free and forgotten by now, ten are held; of each ten, two are damaged, each in its own way. */
    @BeforeEach
    void damage() throws SQLException {
        String url = freshDatabase();
        store = open(url);
        sql = Sql.on(url);
        for (int i = 0; i < 10; i++) {
            Keys.put(store, "freed " + i, new Next.Free(Keys.HOUR));
            Keys.insert(store, Keys.id("held " + i));
        }
        sql.execute(
                "update semel_key set forget_at = now() where state = 0",
                "update semel_key set lease_until = now() where state = 1",
                "update semel_key set state = 77 where key in ('freed 3', 'held 3')",
                "update semel_key set fingerprint = '' where key = 'freed 7'",
                "update semel_key set operation = '' where key = 'held 7'");
    }

    @Test
    void the_sweep_passes_over_it_names_it_and_leaves_it() throws SQLException {
        Swept purged = store.sweep(1000);
        assertTrue(purged.finished());
        assertEquals(8, purged.removed());
        assertEquals(
                Set.of(hex("freed 3"), hex("freed 7"), hex("held 3"), hex("held 7")), Set.copyOf(purged.unreadable()));
        assertEquals("12", sql.one("select count(*) from semel_key"));
    }

    @Test
    void a_listing_passes_over_it() {
        Set<String> listed = new TreeSet<>();
        String after = null;
        do {
            Listing.Page page = store.list(new Listing(null, EnumSet.of(Kind.HELD), 3, after));
            page.lines().forEach(line -> listed.add(line.id().key()));
            after = page.next();
        } while (after != null);
        assertEquals(8, listed.size(), listed.toString());
    }

    @Test
    void a_claim_of_its_key_is_refused_and_those_that_share_its_round_trip_are_not() throws Exception {
        List<Future<Inserted>> others = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 30; i++) {
                String key = "new " + i;
                others.add(callers.submit(() -> store.insert(Keys.claim(Keys.id(key)))));
                StoreException refused =
                        assertThrows(StoreException.class, () -> store.insert(Keys.claim(Keys.id("freed 3"))));
                assertEquals(Applied.NO, refused.applied());
            }
            for (Future<Inserted> other : others) assertTrue(other.get() instanceof Inserted.Fresh);
        }
        for (String key : List.of("freed 7", "held 3", "held 7"))
            assertThrows(RuntimeException.class, () -> store.insert(Keys.claim(Keys.id(key))), key);
    }

    private static String hex(String key) {
        return HexFormat.of().formatHex(Keys.id(key).digest());
    }
}
