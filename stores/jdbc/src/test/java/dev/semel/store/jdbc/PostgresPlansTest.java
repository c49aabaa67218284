package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyState.Kind;
import dev.semel.core.store.Listing;
import dev.semel.core.store.Next;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How the server goes about the statements: what they cost must not depend on how many keys are kept. */
class PostgresPlansTest extends OnEachPostgres {
    private static final int MANY = 20_000;

    private PostgresKeyStore store;
    private Sql sql;

    @BeforeEach
    void openStore() throws SQLException {
        String url = freshDatabase();
        store = open(url);
        sql = Sql.on(url);
    }

    @Test
    void claim_and_complete_touch_the_index_once() throws SQLException {
        for (int i = 0; i < 500; i++) Keys.put(store, "k" + i, Keys.done("charged 12.00"));
        store.close();
        assertEquals("500|500", awaitStatistics("n_tup_upd, n_tup_hot_upd", "500"));
    }

    /** A session reports what it did when it ends, a moment after the client has gone. */
    private String awaitStatistics(String columns, String first) throws SQLException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (true) {
            String row = sql.one("select " + columns + " from pg_stat_user_tables where relname = 'semel_key'");
            if (row.startsWith(first + "|") || System.nanoTime() - deadline > 0) return row;
        }
    }

    @Test
    void a_step_of_the_sweep_reads_only_its_pages() throws SQLException {
        fill();
        for (String statement : new String[] {PostgresSweep.LOOK, PostgresSweep.REMOVE, PostgresSweep.STRIP}) {
            String plan = planOf(statement, "(10,0)", "(20,0)");
            assertTrue(plan.contains("Tid Range Scan on semel_key"), plan);
            assertFalse(plan.contains("Seq Scan"), plan);
            assertFalse(plan.contains("Index"), plan);
        }
    }

    /** A statement is planned when the table is empty, and the plan is kept while it grows. */
    @Test
    void keys_are_looked_up_by_their_index_whatever_the_size_of_the_table_was() throws SQLException {
        for (String size : List.of("empty", "full")) {
            if (size.equals("full")) fill();
            for (String statement :
                    List.of(PostgresSql.INSERT, PostgresSql.REPLACE, PostgresSql.FIND, PostgresSql.FIND_ALL)) {
                String plan = keptPlanOf(statement);
                assertTrue(plan.contains("semel_key_pkey"), size + "\n" + plan);
                assertFalse(plan.contains("Seq Scan"), size + "\n" + plan);
            }
        }
    }

    @Test
    void the_keys_of_a_tenant_are_counted_in_their_own_index() throws SQLException {
        fill();
        Keys.put(store, "of another tenant", Keys.done("ok"));
        sql.execute("analyze semel_key");
        String counting = PostgresSql.COUNT.replaceFirst("limit \\?", "limit 1000");
        // Among twenty thousand of another's. For one who owns nearly every row, reading them in order is as good.
        String plan = planOf(counting, Keys.id("of another tenant").tenant());
        assertTrue(plan.contains("semel_key_tenant"), plan);
        assertFalse(plan.contains("Seq Scan"), plan);
        assertEquals(1, store.count(Keys.id("of another tenant").tenant(), 1000));
        assertEquals(1000, store.count("t", 1000));
        assertEquals(MANY, store.count("t", Long.MAX_VALUE));
    }

    @Test
    void doubts_are_listed_by_their_own_index() throws SQLException {
        fill();
        Keys.put(store, "doubtful", new Next.InDoubt("no answer"));
        sql.execute("analyze semel_key");
        String statement = PostgresListing.IN_DOUBT
                .replaceFirst("any \\(\\?\\)", "any ('{3}'::int[])")
                .replaceFirst("id > \\?", "id > ''::bytea")
                .replaceFirst("coalesce\\(\\?", "coalesce(null::text")
                .replaceFirst("limit \\?", "limit 101");
        String plan = planOf(statement);
        assertTrue(plan.contains("semel_key_in_doubt"), plan);
        assertEquals(
                1,
                store.list(new Listing(null, Set.of(Kind.IN_DOUBT), 100, null))
                        .lines()
                        .size());
    }

    private void fill() throws SQLException {
        sql.execute(
                "insert into semel_key (id, tenant, operation, key, fingerprint, token, attempt, revision, state,"
                    + " since, holder, lease_until) select sha256(i::text::bytea), 't', 'o', i::text, '\\x0101', 1, 1,"
                    + " 1, 1, now(), 'h', now() from generate_series(1, " + MANY + ") i",
                "analyze semel_key");
    }

    /** The plan for any parameters, not for these: that is what a prepared statement ends up with. */
    private String planOf(String statement, String... parameters) throws SQLException {
        try (Connection connection = sql.connect();
                Statement setting = connection.createStatement();
                PreparedStatement explain = connection.prepareStatement("explain " + statement)) {
            setting.execute("set plan_cache_mode = force_generic_plan");
            for (int i = 0; i < parameters.length; i++) explain.setString(i + 1, parameters[i]);
            StringBuilder plan = new StringBuilder();
            try (ResultSet lines = explain.executeQuery()) {
                while (lines.next()) plan.append(lines.getString(1)).append('\n');
            }
            return plan.toString();
        }
    }

    /** The plan that the server makes once, knowing nothing of any parameter, and keeps. */
    private String keptPlanOf(String statement) throws SQLException {
        int parameters = statement.length() - statement.replace("?", "").length();
        String numbered = statement;
        for (int i = 1; i <= parameters; i++) numbered = numbered.replaceFirst("\\?", "\\$" + i);
        String nulls = String.join(", ", Collections.nCopies(parameters, "null"));
        try (Connection connection = sql.connect();
                Statement session = connection.createStatement()) {
            session.execute("set plan_cache_mode = force_generic_plan");
            session.execute("prepare kept as " + numbered);
            StringBuilder plan = new StringBuilder();
            try (ResultSet lines = session.executeQuery("explain execute kept (" + nulls + ")")) {
                while (lines.next()) plan.append(lines.getString(1)).append('\n');
            }
            return plan.toString();
        }
    }
}
