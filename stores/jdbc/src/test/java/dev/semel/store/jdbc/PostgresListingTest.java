package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyState.Kind;
import dev.semel.core.store.Listing;
import dev.semel.core.store.Next;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresListingTest extends OnEachPostgres {
    private static final Set<Kind> ALL = EnumSet.allOf(Kind.class);

    private PostgresKeyStore store;
    private Sql sql;

    @BeforeEach
    void openStore() throws SQLException {
        String url = freshDatabase();
        store = open(url);
        sql = Sql.on(url);
    }

    @Test
    void keys_are_listed_as_they_count_now() throws SQLException {
        Keys.insert(store, Keys.id("held"));
        Keys.put(store, "done", Keys.done("x"));
        Keys.put(store, "spent", Keys.done("x"));
        Keys.put(store, "forgotten", Keys.done("x"));
        Keys.put(store, "free", new Next.Free(Keys.HOUR));
        Keys.put(store, "freed long ago", new Next.Free(Keys.HOUR));
        Keys.put(store, "doubtful", new Next.InDoubt("no answer"));
        sql.execute(
                "update semel_key set replay_until = now() where key = 'spent'",
                "update semel_key set forget_at = now() where key in ('forgotten', 'freed long ago')");
        assertEquals(List.of("done DONE", "doubtful IN_DOUBT", "free FREE", "held HELD", "spent SPENT"), list(ALL));
        assertEquals(List.of("done DONE"), list(Set.of(Kind.DONE)));
        assertEquals(List.of("spent SPENT"), list(Set.of(Kind.SPENT)));
        assertEquals(List.of("doubtful IN_DOUBT"), list(Set.of(Kind.IN_DOUBT)));
        assertEquals(List.of("doubtful IN_DOUBT", "held HELD"), list(Set.of(Kind.IN_DOUBT, Kind.HELD)));
        assertEquals(List.of(), list(Set.of()));
    }

    private List<String> list(Set<Kind> kinds) {
        return store.list(new Listing("acme", kinds, 1000, null)).lines().stream()
                .map(line -> line.id().key() + " " + line.kind())
                .sorted()
                .toList();
    }

    @Test
    void pages_follow_each_other_in_the_order_of_digests() {
        List<KeyId> ids = new ArrayList<>();
        for (int i = 0; i < 25; i++)
            ids.add(Keys.insert(store, Keys.id("k" + i)).id());
        ids.sort(Comparator.comparing(KeyId::digest, Arrays::compareUnsigned));
        for (int limit : new int[] {1, 7, 24, 25, 26}) assertEquals(ids, walk(limit));
    }

    private List<KeyId> walk(int limit) {
        List<KeyId> read = new ArrayList<>();
        String after = null;
        do {
            Listing.Page page = store.list(new Listing(null, ALL, limit, after));
            for (Listing.Line line : page.lines()) read.add(line.id());
            after = page.next();
        } while (after != null);
        return read;
    }

    @Test
    void a_tenant_sees_its_own_keys_only() {
        Keys.insert(store, KeyId.of("acme", "o", "k"));
        Keys.insert(store, KeyId.of("ACME", "o", "k"));
        Keys.insert(store, KeyId.of("", "o", "k"));
        assertEquals(1, store.list(new Listing("ACME", ALL, 10, null)).lines().size());
        assertEquals(1, store.list(new Listing("", ALL, 10, null)).lines().size());
        assertEquals(3, store.list(new Listing(null, ALL, 10, null)).lines().size());
    }

    @Test
    void a_cursor_that_no_page_gave_is_refused() {
        assertThrows(IllegalArgumentException.class, () -> store.list(new Listing(null, ALL, 10, "no cursor of ours")));
    }
}
