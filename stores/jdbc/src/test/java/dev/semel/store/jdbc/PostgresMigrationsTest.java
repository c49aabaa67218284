package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class PostgresMigrationsTest extends OnEachPostgres {
    private static final String SHAPE = """
        select table_name, column_name, data_type, is_nullable from information_schema.columns
        where table_schema = 'public'
        union all
        select tablename, indexname, indexdef, null from pg_indexes where schemaname = 'public'
        union all
        select relname, array_to_string(reloptions, ','), null, null from pg_class where relname like 'semel%'
        order by 1, 2
        """;

    @Test
    void a_database_is_migrated_once_and_keeps_its_keys() throws SQLException {
        String url = freshDatabase();
        Keys.insert(open(url), Keys.id("kept"));
        List<String> before = Sql.on(url).rows("select * from semel_schema");
        assertTrue(open(url).find(Keys.id("kept")) != null);
        assertEquals(before, Sql.on(url).rows("select * from semel_schema"));
        assertEquals(PostgresMigrations.INSTANCE.count(), before.size());
    }

    @Test
    void processes_that_start_at_once_migrate_once() throws Exception {
        String url = freshDatabase();
        Callable<PostgresKeyStore> start = () -> PostgresKeyStore.open(url, JdbcOptions.DEFAULT.withPoolSize(2));
        try (ExecutorService processes = Executors.newFixedThreadPool(8)) {
            List<Callable<PostgresKeyStore>> starts = new ArrayList<>();
            for (int i = 0; i < 8; i++) starts.add(start);
            for (Future<PostgresKeyStore> store : processes.invokeAll(starts))
                store.get().close();
        }
        assertEquals("" + PostgresMigrations.INSTANCE.count(), Sql.on(url).one("select count(*) from semel_schema"));
    }

    @Test
    void tables_of_a_newer_version_are_refused_and_left_alone() throws SQLException {
        String url = freshDatabase();
        open(url);
        Sql.on(url).execute("insert into semel_schema (version) values (99)");
        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> open(url));
        assertTrue(refused.getMessage().contains("version 99"), refused.getMessage());
        assertEquals(
                "" + (PostgresMigrations.INSTANCE.count() + 1), Sql.on(url).one("select count(*) from semel_schema"));
    }

    @Test
    void the_sql_for_an_operator_makes_the_same_tables() throws SQLException {
        String migrated = freshDatabase();
        open(migrated);
        String byHand = freshDatabase();
        Sql.on(byHand).execute(PostgresKeyStore.missingSql(byHand));
        assertEquals("", PostgresKeyStore.missingSql(byHand));
        assertEquals(Sql.on(migrated).rows(SHAPE), Sql.on(byHand).rows(SHAPE));
        assertEquals("1", Sql.on(byHand).one("select version from semel_schema"));
    }

    @Test
    void the_sql_for_an_operator_is_only_what_is_missing() throws SQLException {
        String url = freshDatabase();
        String all = PostgresKeyStore.missingSql(url);
        open(url);
        Sql.on(url).execute("drop table semel_fence", "delete from semel_schema where version = 6");
        String missing = PostgresKeyStore.missingSql(url);
        assertTrue(all.endsWith(missing) && missing.startsWith("-- The highest fencing token"), missing);
        Sql.on(url).execute(missing);
        assertEquals("", PostgresKeyStore.missingSql(url));
    }

    @Test
    void once_the_tables_are_there_nobody_needs_the_right_to_make_them() throws SQLException {
        String url = freshDatabase();
        Sql.on(url)
                .execute(
                        PostgresKeyStore.missingSql(url),
                        "revoke create on schema public from public",
                        "drop role if exists clerk",
                        "create role clerk login",
                        "grant select on semel_schema to clerk",
                        "grant select, insert, update, delete on semel_key to clerk");
        PostgresKeyStore store = open(url.replace("user=postgres", "user=clerk"));
        Keys.put(store, "by a clerk", Keys.done("ok"));
        assertTrue(store.sweep(100).finished());
        Sql.on(url).execute("drop owned by clerk", "drop role clerk");
    }

    @Test
    void a_role_that_may_not_make_tables_is_told_so_and_leaves_nothing() throws SQLException {
        String url = freshDatabase();
        Sql.on(url)
                .execute(
                        "revoke create on schema public from public",
                        "drop role if exists guest",
                        "create role guest login");
        StoreException refused =
                assertThrows(StoreException.class, () -> open(url.replace("user=postgres", "user=guest")));
        assertTrue(refused.getMessage().contains("permission denied"), refused.getMessage());
        assertEquals("0", Sql.on(url).one("select count(*) from pg_class where relname like 'semel%'"));
        Sql.on(url).execute("drop role guest");
    }

    @Test
    void a_server_that_is_too_old_is_named_in_the_refusal() {
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> PostgresMigrations.requireKnown(13));
        assertEquals("Semel needs PostgreSQL 14 or later; this server is PostgreSQL 13.", refused.getMessage());
    }

    @Test
    void a_database_that_is_not_there_is_a_store_that_does_not_answer() {
        JdbcOptions impatient = JdbcOptions.DEFAULT.withConnectionTimeout(Duration.ofMillis(250));
        String nowhere = "jdbc:postgresql://127.0.0.1:1/nowhere?user=postgres";
        StoreException none = assertThrows(StoreException.class, () -> open(nowhere, impatient));
        assertEquals(StoreException.Applied.NO, none.applied());
    }
}
