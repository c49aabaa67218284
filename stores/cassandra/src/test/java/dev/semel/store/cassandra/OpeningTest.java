package dev.semel.store.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import dev.semel.testkit.StoreScene;
import dev.semel.testkit.cassandra.CassandraServer;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** How a store is opened, and what is said when it cannot be. */
@ExtendWith(SharedServer.class)
class OpeningTest {
    private static CassandraKeyStore open(String url) {
        return CassandraKeyStore.open(url, SharedServer.PATIENT);
    }

    @Test
    void a_missing_keyspace_is_told_with_the_statement_that_makes_it() {
        StoreException missing = assertThrows(
                StoreException.class, () -> open(SharedServer.server().url("nowhere")));
        assertTrue(missing.getMessage().contains("create keyspace nowhere with replication"), missing.getMessage());
        assertTrue(missing.getMessage().contains("'datacenter1': 3"), missing.getMessage());
    }

    @Test
    void a_wrong_data_center_is_told_with_those_that_there_are() {
        String wrong = SharedServer.freshUrl().replace("dc=" + CassandraServer.DATACENTER, "dc=eu-west");
        IllegalStateException none = assertThrows(IllegalStateException.class, () -> open(wrong));
        assertTrue(none.getMessage().contains("eu-west"), none.getMessage());
        assertTrue(none.getMessage().contains(CassandraServer.DATACENTER), none.getMessage());
    }

    @Test
    void without_a_data_center_the_only_one_is_meant() {
        String url = SharedServer.freshUrl().replace("dc=" + CassandraServer.DATACENTER + "&", "");
        try (CassandraKeyStore store = open(url)) {
            Keys.insert(store, "k");
        }
    }

    /** The last to come must find what the first have made, and nobody may fail. */
    @Test
    void many_may_open_an_empty_keyspace_at_the_same_time() throws Exception {
        String url = SharedServer.freshUrl();
        List<CassandraKeyStore> stores = StoreScene.together(4, i -> open(url));
        List<Inserted> answers = StoreScene.together(4, i -> stores.get(i).insert(Keys.claim("one of four")));
        assertEquals(
                1, answers.stream().filter(Inserted.Fresh.class::isInstance).count());
        stores.forEach(CassandraKeyStore::close);
    }

    @Test
    void the_missing_statements_are_all_that_is_missing() {
        String url = SharedServer.freshUrl();
        String missing = CassandraKeyStore.missingCql(url);
        assertTrue(missing.startsWith("create keyspace") && missing.contains("create table"), missing);
        try (RawTable raw = RawTable.of(SharedServer.server().port(), "system")) {
            for (String statement : missing.replaceAll("(?m)^--.*$", "").split(";"))
                if (!statement.isBlank()) raw.rows(statement);
        }
        assertEquals("", CassandraKeyStore.missingCql(url));
        try (CassandraKeyStore store = open(url)) {
            Keys.insert(store, "k");
        }
    }

    @Test
    void tables_of_a_newer_version_are_left_alone() {
        String url = SharedServer.freshUrl();
        open(url).close();
        try (RawTable raw = RawTable.of(url)) {
            raw.rows("update semel_schema set version = 99 where name = 'keys' if version = 1");
        }
        assertTrue(assertThrows(IllegalStateException.class, () -> open(url))
                .getMessage()
                .contains("newer Semel"));
    }

    /** Two scopes are two groups that agree, and so two holders. */
    @Test
    void all_who_share_a_keyspace_agree_in_the_same_scope() {
        String global = SharedServer.freshUrl();
        open(global).close();
        String refused = assertThrows(IllegalStateException.class, () -> open(global + "&consistency=local"))
                .getMessage();
        assertTrue(refused.contains("'global'") && refused.contains("'local:datacenter1'"), refused);

        String local = SharedServer.freshUrl();
        try (CassandraKeyStore store = open(local + "&consistency=local")) {
            Keys.replace(store, Keys.insert(store, "k"), Keys.done("x"));
            assertNotNull(store.find(Keys.id("k")));
            assertTrue(store.sweep(10).finished());
        }
        open(local + "&consistency=local").close();
        assertThrows(IllegalStateException.class, () -> open(local));
    }

    /**
     * A keyspace that wants three replicas of one node. The one that there is agrees with itself; then too few are there to read
     * before the write, or to write down what was agreed upon. Cassandra says the same in both cases.
     */
    @Test
    void too_few_replicas_in_mid_way_is_unknown_until_they_are_back() {
        String url = SharedServer.freshUrl();
        String keyspace = keyspace(url);
        try (CassandraKeyStore store = open(url);
                RawTable raw = RawTable.of(url)) {
            replicate(raw, keyspace, 3);
            StoreException insert = assertThrows(StoreException.class, () -> store.insert(Keys.claim("new")));
            assertEquals(Applied.UNKNOWN, insert.applied());
            assertTrue(insert.getMessage().contains("2 are needed"), insert.getMessage());
            assertTrue(insert.getMessage().contains("1 are there"), insert.getMessage());
            assertEquals(
                    Applied.NO,
                    assertThrows(StoreException.class, () -> store.find(Keys.id("new")))
                            .applied());
            assertTrue(CassandraKeyStore.isUnreachable(assertThrows(StoreException.class, () -> open(url))));
            replicate(raw, keyspace, 1);
            boolean there = store.find(Keys.id("new")) != null;
            assertEquals(there, store.insert(Keys.claim("new")) instanceof Inserted.Existing);
        }
    }

    private static void replicate(RawTable raw, String keyspace, int factor) {
        raw.rows("alter keyspace " + keyspace + " with replication = {'class': 'NetworkTopologyStrategy', '"
                + CassandraServer.DATACENTER + "': " + factor + "}");
    }

    private static String keyspace(String url) {
        return url.substring(url.lastIndexOf('/') + 1, url.indexOf('?'));
    }

    @Test
    void a_callers_session_must_not_try_again_by_itself_and_stays_open() {
        String url = SharedServer.freshUrl();
        open(url).close();
        String keyspace = keyspace(url);
        try (CqlSession retrying =
                session(DriverConfigLoader.programmaticBuilder().build())) {
            String refused = assertThrows(
                            IllegalArgumentException.class,
                            () -> CassandraKeyStore.open(
                                    retrying, keyspace, CassandraServer.DATACENTER, SharedServer.PATIENT))
                    .getMessage();
            assertTrue(refused.contains(NeverRetry.class.getName()), refused);
        }
        DriverConfigLoader right = DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.RETRY_POLICY_CLASS, NeverRetry.class.getName())
                .build();
        try (CqlSession own = session(right)) {
            try (CassandraKeyStore store =
                    CassandraKeyStore.open(own, keyspace, CassandraServer.DATACENTER, SharedServer.PATIENT)) {
                Keys.insert(store, "k");
            }
            assertFalse(own.isClosed());
        }
    }

    private static CqlSession session(DriverConfigLoader config) {
        return CqlSession.builder()
                .addContactPoint(
                        new InetSocketAddress("127.0.0.1", SharedServer.server().port()))
                .withLocalDatacenter(CassandraServer.DATACENTER)
                .withConfigLoader(config)
                .build();
    }

    @Test
    void a_closed_store_answers_no_more() {
        CassandraKeyStore store = open(SharedServer.freshUrl());
        store.close();
        for (Executable call : List.<Executable>of(
                () -> store.insert(Keys.claim("k")),
                () -> store.find(Keys.id("k")),
                () -> store.findAll(List.of(Keys.id("k")))))
            assertEquals(Applied.NO, assertThrows(StoreException.class, call).applied());
    }

    @Test
    void a_table_that_is_gone_is_told_as_such() {
        String url = SharedServer.freshUrl();
        try (CassandraKeyStore store = open(url);
                RawTable raw = RawTable.of(url)) {
            raw.rows("drop table semel_key");
            StoreException gone = assertThrows(StoreException.class, () -> store.insert(Keys.claim("k")));
            assertEquals(Applied.NO, gone.applied(), gone.getMessage());
        }
    }
}
