package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.time.HandTime;
import dev.semel.http.order.WriteOrder;
import dev.semel.http.order.WriteOrder.Answer;
import dev.semel.seal.SealKeys;
import dev.semel.seal.SealedKeyStore;
import dev.semel.store.jdbc.PostgresKeyStore;
import dev.semel.store.rocksdb.Durability;
import dev.semel.store.rocksdb.RocksKeyStore;
import dev.semel.testkit.StoreScene;
import dev.semel.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Writes that must keep their order across a fleet, on every store that a gateway has. */
class WriteOrderTest {
    @Nested
    class OnMemory extends Contract {
        private final HandTime time = new HandTime();
        private final KeyStore store = new InMemoryKeyStore(time.clock());

        @Override
        KeyStore store() {
            return store;
        }

        @Override
        void pass(Duration by) {
            time.advance(by);
        }

        @Test
        void versions_of_resources_outlive_their_encryption_key() {
            WriteOrder before = new WriteOrder(sealedWith("k1"));
            assertInstanceOf(Answer.Accepted.class, before.advance(account, 7, KEEP));
            WriteOrder without = new WriteOrder(sealedWith("k2"));
            assertEquals(new Answer.Stale(7), without.advance(account, 6, KEEP));
            assertInstanceOf(Answer.Accepted.class, without.advance(account, 8, KEEP));
        }

        private KeyStore sealedWith(String key) {
            byte[] bytes = new byte[SealKeys.KEY_BYTES];
            bytes[0] = (byte) key.charAt(1);
            return new SealedKeyStore(store, SealKeys.of(key, Map.of(key, bytes)));
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class OnRocks extends Contract {
        private final HandTime time = new HandTime();
        private KeyStore store;

        @BeforeAll
        void open(@TempDir Path folder) {
            store = RocksKeyStore.open(folder, Durability.OS, time.clock());
        }

        @AfterAll
        void close() {
            store.close();
        }

        @Override
        KeyStore store() {
            return store;
        }

        @Override
        void pass(Duration by) {
            time.advance(by);
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class OnPostgres extends Contract {
        private PostgresServer server;
        private KeyStore store;

        @BeforeAll
        void open(@TempDir Path folder) {
            server = PostgresServer.startFromClassPath(folder, "fsync=off");
            store = PostgresKeyStore.open(server.jdbcUrl());
        }

        @AfterAll
        void close() {
            store.close();
            server.close();
        }

        @Override
        KeyStore store() {
            return store;
        }

        /** The clock of a database cannot be moved: every record grows older instead. */
        @Override
        void pass(Duration by) throws SQLException {
            try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
                    var statement = connection.prepareStatement("""
                        update semel_key set since = since - ?::interval, replay_until = replay_until - ?::interval,
                            forget_at = forget_at - ?::interval
                        """)) {
                for (int i = 1; i <= 3; i++) statement.setString(i, by.toSeconds() + " seconds");
                statement.executeUpdate();
            }
        }
    }

    abstract static class Contract {
        static final Duration KEEP = Duration.ofDays(365);

        KeyId account;

        /** Each test has an account of its own, also where all of them share one store. */
        @BeforeEach
        void openAccount() {
            account = KeyId.reserved("", "order", UUID.randomUUID().toString());
        }

        abstract KeyStore store();

        abstract void pass(Duration by) throws SQLException;

        @Test
        void a_write_older_than_the_last_one_is_refused_by_every_process() throws Exception {
            WriteOrder here = new WriteOrder(store());
            WriteOrder there = new WriteOrder(store());
            assertInstanceOf(Answer.Accepted.class, here.advance(account, 3, KEEP));
            assertInstanceOf(Answer.Accepted.class, there.advance(account, 4, KEEP));
            assertEquals(
                    new Answer.Stale(4), here.advance(account, 3, KEEP), "the late retry that would undo the refund");
            assertInstanceOf(Answer.Accepted.class, here.advance(account, 4, KEEP), "a retry of the last write");
            pass(Duration.ofDays(300));
            assertEquals(new Answer.Stale(4), there.advance(account, 0, KEEP));
            KeyId other = KeyId.reserved("", "order", UUID.randomUUID().toString());
            assertInstanceOf(Answer.Accepted.class, there.advance(other, 0, KEEP));
        }

        @Test
        void a_version_is_forgotten_when_its_time_is_up() throws Exception {
            WriteOrder order = new WriteOrder(store());
            order.advance(account, 9, Duration.ofHours(1));
            pass(Duration.ofHours(2));
            assertInstanceOf(Answer.Accepted.class, order.advance(account, 1, KEEP));
            assertEquals(new Answer.Stale(1), order.advance(account, 0, KEEP));
        }

        @Test
        void a_write_that_did_not_run_does_not_stand_in_the_way() {
            WriteOrder order = new WriteOrder(store());
            order.advance(account, 3, KEEP);
            withdraw(order, 99, accepted(order, 99));
            assertEquals(new Answer.Stale(3), order.advance(account, 2, KEEP));
            long overtaken = accepted(order, 4);
            order.advance(account, 5, KEEP);
            withdraw(order, 4, overtaken);
            assertEquals(new Answer.Stale(5), order.advance(account, 4, KEEP), "another was let through since");
            withdraw(order, 5, accepted(order, 5));
            assertEquals(new Answer.Stale(5), order.advance(account, 4, KEEP), "it did run the first time");
        }

        @Test
        void a_write_that_did_not_run_takes_no_other_of_its_version_with_it() throws Exception {
            WriteOrder here = new WriteOrder(store());
            WriteOrder there = new WriteOrder(store());
            here.advance(account, 5, KEEP);
            long refused = accepted(here, 7);
            long applied = accepted(there, 7);
            withdraw(here, 7, refused);
            assertEquals(new Answer.Stale(7), here.advance(account, 6, KEEP), "the other 7 was applied");
            withdraw(there, 7, refused);
            assertEquals(new Answer.Stale(7), there.advance(account, 6, KEEP), "what is withdrawn twice");
            withdraw(there, 7, applied);
            assertInstanceOf(Answer.Accepted.class, here.advance(account, 6, KEEP));
        }

        @Test
        void writes_that_overlap_and_all_did_not_run_leave_nothing_behind() {
            WriteOrder order = new WriteOrder(store());
            order.advance(account, 5, KEEP);
            long seven = accepted(order, 7);
            long eight = accepted(order, 8);
            withdraw(order, 7, seven);
            assertEquals(new Answer.Stale(8), order.advance(account, 7, KEEP), "8 is still on its way");
            withdraw(order, 8, eight);
            assertEquals(new Answer.Stale(5), order.advance(account, 4, KEEP));
            assertInstanceOf(Answer.Accepted.class, order.advance(account, 6, KEEP));
        }

        private long accepted(WriteOrder order, long version) {
            return assertInstanceOf(Answer.Accepted.class, order.advance(account, version, KEEP))
                    .write();
        }

        private void withdraw(WriteOrder order, long version, long write) {
            order.withdraw(account, version, write, KEEP);
        }

        @Test
        void of_many_writes_at_once_none_is_let_through_after_a_higher_one() throws Exception {
            WriteOrder order = new WriteOrder(store());
            List<Answer> answers = StoreScene.together(64, i -> order.advance(account, i, KEEP));
            assertInstanceOf(Answer.Accepted.class, answers.get(63));
            for (Answer answer : answers) if (answer instanceof Answer.Stale stale) assertTrue(stale.last() > 0);
            assertEquals(new Answer.Stale(63), order.advance(account, 62, KEEP));
        }
    }
}
