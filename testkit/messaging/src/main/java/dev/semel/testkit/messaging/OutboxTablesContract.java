package dev.semel.testkit.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.TimeOrderedId;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.Relay;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.message.OrderedKey;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.messaging.tables.MessagingDatabase;
import dev.semel.messaging.tables.OutboxTables;
import dev.semel.messaging.tables.OutboxTables.Holds;
import dev.semel.messaging.tables.OutboxTables.LeaseRound;
import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import dev.semel.messaging.tables.OutboxTables.ParkedRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The laws of an outbox in a database: what {@link OutboxTables} says, and what follows for a relay. A database's test extends this,
 * says how to reach a real server, and adds what only that database can get wrong.
 */
@SuppressWarnings("try") // a relay that runs is all that is asked of it
public abstract class OutboxTablesContract extends OutboxScene {
    private static final Duration LEASE = Duration.ofMinutes(1);

    /** Over as soon as it is given. */
    private static final Duration MOMENT = Duration.ofMillis(1);

    /** The tables that are tested. */
    protected OutboxTables tables() throws SQLException {
        return MessagingDatabase.of(database()).outbox();
    }

    private List<ShardLease> lease(String relay, Duration lease) throws SQLException {
        try (Connection connection = database().getConnection()) {
            return tables().renew(connection, relay, List.of(), List.of(), lease)
                    .held();
        }
    }

    private List<OutboxRow> read(Collection<ShardLease> leases, Holds holds, int perShard) throws SQLException {
        try (Connection connection = database().getConnection()) {
            return tables().reader().read(connection, leases, holds, perShard).values().stream()
                    .flatMap(List::stream)
                    .toList();
        }
    }

    private List<OutboxRow> read(Collection<ShardLease> leases) throws SQLException {
        return read(leases, Holds.NONE, 100);
    }

    private Set<ShardLease> delete(Collection<ShardLease> leases, Collection<OutboxRow> rows) throws SQLException {
        try (Connection connection = database().getConnection()) {
            return tables().deleteSent(connection, leases, rows);
        }
    }

    private Set<ShardLease> park(Collection<ShardLease> leases, ParkedRow... rows) throws SQLException {
        try (Connection connection = database().getConnection()) {
            return tables().park(connection, leases, List.of(rows));
        }
    }

    private Set<ShardLease> settle(
            Collection<ShardLease> leases, Collection<OutboxRow> sent, Collection<ParkedRow> refused)
            throws SQLException {
        try (Connection connection = database().getConnection()) {
            return tables().settleLetters(connection, leases, sent, refused);
        }
    }

    private List<OutboxRow> due(Collection<ShardLease> leases) throws SQLException {
        try (Connection connection = database().getConnection()) {
            return tables().dueLetters(connection, leases, 100);
        }
    }

    private static ParkedRow dead(OutboxRow row) {
        return new ParkedRow(row, "too-large", "it is too large: “ä'\\\"\n", 3);
    }

    private static ParkedRow tail(OutboxRow row) {
        return new ParkedRow(row, ParkedRow.TAIL, "behind", 0);
    }

    private static List<Integer> numbers(List<OutboxRow> rows) {
        return rows.stream().map(row -> body(row.message())).toList();
    }

    private static OutboxRow row(List<OutboxRow> rows, int body) {
        return rows.stream()
                .filter(it -> body(it.message()) == body)
                .findFirst()
                .orElseThrow();
    }

    @Nested
    public class Making {
        @Test
        void processes_that_start_at_once_make_the_tables_together() throws Exception {
            var database = freshDatabase();
            try {
                assertFalse(tables().missing(database).isEmpty());
                List<CompletableFuture<Void>> starts = new ArrayList<>();
                for (int i = 0; i < 6; i++)
                    starts.add(CompletableFuture.runAsync(() -> {
                        try {
                            Outbox.open(database);
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    }));
                for (CompletableFuture<Void> start : starts) start.get();
                assertEquals("", tables().missing(database));
                try (Connection connection = database.getConnection()) {
                    assertEquals(16, tables().shards(connection));
                }
            } finally {
                close(database);
            }
        }
    }

    @Nested
    public class Appending {
        @Test
        void a_message_comes_back_as_it_was_appended() throws Exception {
            byte[] bytes = new byte[1024 * 1024];
            for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) i;
            List<Message> messages = List.of(
                    new Message("orders", "kä'\\\"%_ \uD83D\uDE00 ", "order.paid", Map.of("a", "b: c", "d", ""), bytes),
                    new Message("Orders.2:/-_", null, "t", Map.of(), new byte[0]),
                    new Message("orders", "kä", "t", Map.of(), bytes),
                    new Message("orders", "kä", "t", Map.of(), bytes),
                    new Message("orders", "kä", "t", Map.of(), bytes));
            List<UUID> ids = append(messages.toArray(Message[]::new));
            List<OutboxRow> rows = new ArrayList<>(read(lease("r", LEASE)));
            rows.sort(Comparator.comparingLong(OutboxRow::position));
            assertEquals(ids, rows.stream().map(row -> row.message().id()).toList());
            for (int i = 0; i < rows.size(); i++) {
                OutgoingMessage read = rows.get(i).message();
                assertEquals(messages.get(i).topic(), read.topic());
                assertEquals(messages.get(i).key(), read.key());
                assertEquals(messages.get(i).type(), read.type());
                assertEquals(messages.get(i).headers(), read.headers());
                assertArrayEquals(messages.get(i).payload(), read.payload());
                Duration age = Duration.between(read.appendedAt(), Instant.now());
                assertTrue(age.abs().compareTo(Duration.ofMinutes(1)) < 0, "appended " + age + " ago");
            }
        }

        @Test
        void what_is_rolled_back_or_not_committed_is_not_read() throws Exception {
            List<ShardLease> leases = lease("r", LEASE);
            try (Connection open = transaction();
                    Connection undone = transaction()) {
                tables().append(open, List.of(TimeOrderedId.next()), List.of(message("k", 1)));
                var before = undone.setSavepoint();
                tables().append(undone, List.of(TimeOrderedId.next()), List.of(message("k", 2)));
                undone.rollback(before);
                tables().append(undone, List.of(TimeOrderedId.next()), List.of(message("k", 3)));
                undone.commit();
                assertEquals(List.of(3), numbers(read(leases)));
                open.commit();
                assertEquals(List.of(1, 3), numbers(read(leases)));
            }
        }
    }

    @Nested
    public class Reading {
        @Test
        void of_each_shard_the_first_come_in_order_and_what_is_held_back_does_not() throws Exception {
            List<ShardLease> leases = lease("r", LEASE);
            append("a", 1, 2, 3);
            append("b", 4, 5);
            append(Message.of("orders", "t", "6".getBytes(UTF_8)));
            List<OutboxRow> all = read(leases);
            assertEquals(6, all.size());
            assertEquals(List.of(1, 2), bodiesOf(read(leases, Holds.NONE, 2), "a"));
            Holds holds = new Holds(
                    Set.of(new OrderedKey("orders", "a"), new OrderedKey("others", "b")),
                    Set.of(row(all, 6).position()));
            assertEquals(List.of(4, 5), numbers(read(leases, holds, 100)));
        }

        @Test
        void a_lease_that_is_not_the_newest_is_told_and_reads_nothing() throws Exception {
            List<ShardLease> former = lease("r", MOMENT);
            append("a", 1);
            List<ShardLease> leases = leaseAll("s", LEASE);
            try (Connection connection = database().getConnection()) {
                assertEquals(Map.of(), tables().reader().read(connection, former, Holds.NONE, 10));
                assertEquals(
                        Set.copyOf(leases),
                        tables().reader()
                                .read(connection, leases, Holds.NONE, 10)
                                .keySet());
            }
        }

        @Test
        void keys_are_the_same_only_byte_for_byte() throws Exception {
            List<ShardLease> leases = lease("r", LEASE);
            List<String> keys = List.of("a", "A", "ä", "a ", "a\u0301", "Ａ");
            for (int i = 0; i < keys.size(); i++) append(keys.get(i), i);
            List<OutboxRow> rows = read(leases);
            park(leases, dead(row(rows, 0)));
            for (int i = 0; i < keys.size(); i++) append(keys.get(i), 10 + i);
            for (OutboxRow row : read(leases))
                assertEquals(
                        body(row.message()) == 10,
                        row.behindParked(),
                        "key " + row.message().key());
        }
    }

    private static List<Integer> bodiesOf(List<OutboxRow> rows, String key) {
        return rows.stream()
                .filter(row -> key.equals(row.message().key()))
                .map(row -> body(row.message()))
                .toList();
    }

    /** All shards, when the leases of the others, which are not alive any more, are over. */
    private List<ShardLease> leaseAll(String relay, Duration lease) throws SQLException {
        List<ShardLease> held = new ArrayList<>();
        execute("delete from " + table("relay"));
        await(() -> {
            try (Connection connection = database().getConnection()) {
                LeaseRound round = tables().renew(connection, relay, held, List.of(), lease);
                held.clear();
                held.addAll(round.held());
                return held.size() == 16;
            }
        });
        return held;
    }

    @Nested
    public class Leasing {
        @Test
        void relays_share_the_shards_and_epochs_grow() throws Exception {
            try (Connection connection = database().getConnection()) {
                LeaseRound alone = tables().renew(connection, "a", List.of(), List.of(), LEASE);
                assertEquals(16, alone.held().size());
                assertEquals(
                        0,
                        tables().renew(connection, "b", List.of(), List.of(), LEASE)
                                .held()
                                .size());
                LeaseRound shared = tables().renew(connection, "a", alone.held(), List.of(), LEASE);
                assertEquals(8, shared.share());
                assertEquals(Set.copyOf(alone.held()), Set.copyOf(shared.held()));
                List<ShardLease> givenBack = shared.held().subList(0, 8);
                List<ShardLease> kept = shared.held().subList(8, 16);
                assertEquals(
                        Set.copyOf(kept),
                        Set.copyOf(tables().renew(connection, "a", shared.held(), givenBack, LEASE)
                                .held()));
                LeaseRound other = tables().renew(connection, "b", List.of(), List.of(), LEASE);
                assertEquals(8, other.held().size());
                for (ShardLease lease : other.held())
                    assertTrue(
                            givenBack.stream()
                                    .anyMatch(it -> it.shard() == lease.shard() && it.epoch() < lease.epoch()),
                            lease + " of " + givenBack);
                tables().leave(connection, "a");
                assertEquals(
                        16,
                        tables().renew(connection, "b", other.held(), List.of(), LEASE)
                                .held()
                                .size());
            }
        }

        @Test
        void a_lease_that_is_over_is_renewed_unless_somebody_took_it() throws Exception {
            List<ShardLease> former = leaseAll("a", MOMENT);
            try (Connection connection = database().getConnection()) {
                assertEquals(
                        Set.copyOf(former),
                        Set.copyOf(tables().renew(connection, "a", former, List.of(), MOMENT)
                                .held()));
                tables().leave(connection, "a");
                List<ShardLease> taken = leaseAll("b", LEASE);
                assertEquals(16, taken.size());
                assertEquals(
                        List.of(),
                        tables().renew(connection, "a", former, List.of(), LEASE)
                                .held());
            }
        }

        @Test
        void many_that_take_at_once_take_different_shards() throws Exception {
            List<CompletableFuture<List<ShardLease>>> takes = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                String relay = "r" + i;
                takes.add(CompletableFuture.supplyAsync(() -> {
                    try {
                        return lease(relay, LEASE);
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }));
            }
            Set<Integer> shards = new HashSet<>();
            for (CompletableFuture<List<ShardLease>> take : takes)
                for (ShardLease lease : take.get()) assertTrue(shards.add(lease.shard()), "twice: " + lease);
        }
    }

    @Nested
    public class Acknowledging {
        @Test
        void what_is_sent_is_deleted_once_and_nothing_else() throws Exception {
            List<ShardLease> leases = lease("r", LEASE);
            append("a", 1, 2);
            append("b", 3);
            List<OutboxRow> rows = read(leases);
            List<OutboxRow> sent = List.of(row(rows, 1), row(rows, 3));
            assertEquals(Set.copyOf(leases), delete(leases, sent));
            assertEquals(Set.copyOf(leases), delete(leases, sent));
            assertEquals(List.of(2), numbers(read(leases)));
        }

        @Test
        void whoever_has_lost_the_lease_deletes_parks_and_settles_nothing() throws Exception {
            List<ShardLease> former = leaseAll("a", MOMENT);
            append("a", 1, 2);
            List<OutboxRow> rows = read(former);
            assertEquals(2, rows.size());
            List<ShardLease> leases = leaseAll("b", LEASE);
            assertEquals(Set.of(), delete(former, rows));
            assertEquals(Set.of(), park(former, dead(rows.get(0)), tail(rows.get(1))));
            assertEquals(List.of(1, 2), numbers(read(leases)));
            park(leases, dead(rows.get(0)));
            execute("update " + table("dead_letter") + " set due = " + isTrue());
            assertEquals(List.of(), due(former));
            List<OutboxRow> letters = due(leases);
            assertEquals(Set.of(), settle(former, letters, List.of()));
            assertEquals(Set.of(), settle(former, List.of(), List.of(dead(letters.getFirst()))));
            assertEquals(1, due(leases).size());
        }

        @Test
        void a_shard_is_not_taken_over_in_the_middle_of_an_acknowledgement() throws Exception {
            List<ShardLease> former = leaseAll("a", MOMENT);
            append("a", 1);
            List<OutboxRow> rows = read(former);
            int shard = rows.getFirst().shard();
            List<ShardLease> mine =
                    former.stream().filter(lease -> lease.shard() == shard).toList();
            try (Connection acknowledging = transaction()) {
                assertEquals(Set.copyOf(mine), tables().deleteSent(acknowledging, mine, rows));
                execute("delete from " + table("relay"));
                List<ShardLease> taken = lease("b", LEASE);
                assertEquals(15, taken.size());
                assertTrue(taken.stream().noneMatch(lease -> lease.shard() == shard), "taken: " + taken);
                acknowledging.commit();
                try (Connection connection = database().getConnection()) {
                    assertEquals(
                            16,
                            tables().renew(connection, "b", taken, List.of(), LEASE)
                                    .held()
                                    .size());
                }
            }
            assertEquals(0, outbox().status().waiting());
        }
    }

    /** How a boolean is written. */
    protected String isTrue() {
        return "true";
    }

    @Nested
    public class Parking {
        @Test
        void a_letter_keeps_its_order_and_what_is_behind_follows_it() throws Exception {
            List<ShardLease> leases = lease("r", LEASE);
            append("a", 1, 2, 3);
            append("b", 4);
            List<OutboxRow> rows = read(leases);
            assertEquals(Set.copyOf(leases), park(leases, dead(row(rows, 1))));
            assertEquals(
                    List.of(2, 3),
                    bodiesOf(
                            read(leases).stream()
                                    .filter(OutboxRow::behindParked)
                                    .toList(),
                            "a"));
            park(leases, tail(row(rows, 2)), tail(row(rows, 3)), tail(row(rows, 4)));
            assertEquals(List.of(4), numbers(read(leases)));
            assertEquals(3, outbox().status().deadLetters());
            assertEquals(1, outbox().status().parkedKeys());
            assertEquals(List.of(), due(leases));

            execute("update " + table("dead_letter") + " set due = " + isTrue());
            List<OutboxRow> due = due(leases);
            assertEquals(List.of(1, 2, 3), numbers(due));
            assertEquals(3, row(due, 1).attempts());
            settle(leases, List.of(row(due, 1)), List.of(dead(row(due, 2))));
            assertEquals(List.of(), due(leases));
            assertEquals(2, outbox().status().deadLetters());
            execute("update " + table("dead_letter") + " set due = " + isTrue());
            settle(leases, due(leases), List.of());
            assertEquals(0, outbox().status().deadLetters());
            assertEquals(0, outbox().status().parkedKeys());
            append("a", 5);
            assertFalse(row(read(leases), 5).behindParked());
        }

        @Test
        void a_tail_is_not_sent_before_what_it_waits_for() throws Exception {
            List<ShardLease> leases = lease("r", LEASE);
            append("a", 1, 2);
            List<OutboxRow> rows = read(leases);
            park(leases, dead(row(rows, 1)), tail(row(rows, 2)));
            append("a", 3);
            park(leases, tail(row(read(leases), 3)));
            execute("update " + table("dead_letter") + " set due = " + isTrue() + " where kind = 'tail'");
            assertEquals(List.of(), due(leases));
        }

        @Test
        void a_word_of_a_broker_may_be_very_long() throws Exception {
            List<ShardLease> leases = lease("r", LEASE);
            append("a", 1);
            OutboxRow row = read(leases).getFirst();
            park(leases, new ParkedRow(row, "too-large", "é'".repeat(500_000), 1));
            assertEquals(1, outbox().status().deadLetters());
        }
    }

    @Nested
    public class Relaying {
        @Test
        void what_is_committed_arrives_in_order_and_what_is_rolled_back_does_not() throws Exception {
            List<UUID> ids = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                try (Connection connection = transaction()) {
                    List<UUID> appended =
                            outbox().append(connection, List.of(message("k" + i % 3, i), message("k" + i % 3, i)));
                    if (i % 4 == 3) connection.rollback();
                    else {
                        connection.commit();
                        ids.addAll(appended);
                    }
                }
            }
            try (Relay relay = relay()) {
                await(() -> broker.taken().size() == ids.size());
            }
            assertEquals(
                    ids.stream().sorted().toList(), taken().stream().sorted().toList());
            for (int key = 0; key < 3; key++)
                assertEquals(bodies("k" + key).stream().sorted().toList(), bodies("k" + key));
            assertEquals(0, outbox().status().waiting());
        }

        @Test
        void a_transaction_that_commits_late_with_an_early_number_is_not_passed_over() throws Exception {
            try (Relay relay = relay();
                    Connection early = transaction()) {
                outbox().append(early, message("early", 1));
                for (int i = 0; i < 50; i++) append(message("late" + i, 2));
                await(() -> broker.taken().size() == 50);
                // Long enough for marks to be taken and floors to rise, were they allowed to.
                for (int i = 0; i < 20; i++) {
                    append(message("later", 100 + i));
                    int sent = 51 + i;
                    await(() -> broker.taken().size() == sent);
                    LockSupport.parkNanos(Duration.ofMillis(60).toNanos());
                }
                early.commit();
                await(() -> broker.taken().size() == 71);
            }
            assertEquals(List.of(1), bodies("early"));
        }

        @Test
        void a_message_that_is_not_taken_is_parked_with_its_tail_and_other_keys_go_on() throws Exception {
            broker.refuse(message -> body(message) == 1 ? new Delivery.Dead("too-large", "it is too large") : null);
            append(message("bad", 0), message("bad", 1), message("bad", 2), message("good", 3));
            try (Relay relay = relay()) {
                await(() -> broker.taken().size() == 2 && outbox().status().deadLetters() == 2);
                append(message("bad", 4), message("good", 5));
                await(() -> broker.taken().size() == 3 && outbox().status().deadLetters() == 3);
                assertEquals(List.of(0), bodies("bad"));
                assertEquals(List.of(3, 5), bodies("good"));
                assertEquals(1, outbox().status().parkedKeys());

                broker.refuse(message -> null);
                execute("update " + table("dead_letter") + " set due = " + isTrue());
                append(message("bad", 6));
                await(() -> bodies("bad").size() == 5);
                assertEquals(List.of(0, 1, 2, 4, 6), bodies("bad"));
                await(() ->
                        outbox().status().parkedKeys() == 0 && outbox().status().deadLetters() == 0);
                append(message("bad", 7));
                await(() -> bodies("bad").size() == 6);
            }
            assertEquals(List.of(0, 1, 2, 4, 6, 7), bodies("bad"));
        }

        @Test
        void a_refused_message_is_tried_again_and_then_parked() throws Exception {
            broker.refuse(message -> body(message) == 1 ? new Delivery.Retry("not now", Delivery.Cause.MESSAGE) : null);
            append(message("bad", 1), message("bad", 2), message("good", 3));
            try (Relay relay = relay()) {
                await(() -> broker.taken().size() == 1 && outbox().status().deadLetters() == 2);
            }
            assertEquals("3", one("select attempts from " + table("dead_letter") + " where kind = 'refused'"));
            assertEquals(List.of(3), bodies("good"));
        }

        @Test
        void a_broker_that_is_away_loses_nothing_and_parks_nothing() throws Exception {
            try (Relay relay = relay()) {
                append(message("k", 1));
                await(() -> broker.taken().size() == 1);
                broker.setAway(true);
                for (int i = 2; i < 10; i++) append(message("k", i));
                LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
                assertEquals(8, outbox().status().waiting());
                broker.setAway(false);
                await(() -> broker.taken().size() == 9);
                assertEquals(0, outbox().status().deadLetters());
            }
            assertEquals(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9), bodies("k"));
        }

        @Test
        void relays_share_the_shards_and_take_over() throws Exception {
            try (Relay first = relay()) {
                await(() -> shardsHeld() == 16);
                Relay second = relay();
                await(() -> relays() == 2);
                for (int i = 0; i < 200; i++) append(message("k" + i % 20, i));
                await(() -> broker.taken().size() >= 200);
                second.close();
                await(() -> relays() == 1 && shardsHeld() == 16);
                for (int i = 200; i < 300; i++) append(message("k" + i % 20, i));
                await(() -> broker.taken().size() >= 300);
            }
            for (int key = 0; key < 20; key++)
                assertEquals(bodies("k" + key).stream().sorted().distinct().toList(), bodies("k" + key));
        }
    }

    @Nested
    public class Losing {
        @Test
        void nothing_is_lost_or_overtaken_while_relays_fail_and_letters_are_sent_again() throws Exception {
            long seed = Long.getLong("semel.seed", ThreadLocalRandom.current().nextLong());
            LossCheck.Result result = new LossCheck(database(), tables(), seed, Duration.ofSeconds(15))
                    .run(Duration.ofMillis(1400), () -> {});
            assertEquals(List.of(), result.problems(), "-Dsemel.seed=" + seed);
            assertTrue(result.committed() > 0, "nothing was committed");
        }
    }

    private long shardsHeld() throws SQLException {
        return outbox().status().shards().stream()
                .filter(shard -> shard.relay() != null)
                .count();
    }

    private long relays() throws SQLException {
        return outbox().status().shards().stream()
                .map(shard -> String.valueOf(shard.relay()))
                .distinct()
                .count();
    }
}
