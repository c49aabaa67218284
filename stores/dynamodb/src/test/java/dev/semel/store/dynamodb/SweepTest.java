package dev.semel.store.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.Next;
import dev.semel.core.store.StoreTraits.Forgetting;
import dev.semel.core.store.StoreTraits.Survives;
import dev.semel.testkit.HandClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What the sweep costs, and that it comes around. */
@ExtendWith(SharedServer.class)
class SweepTest {
    private final HandClock clock = new HandClock();
    private Wire wire;
    private String table;
    private DynamoDbKeyStore store;

    @BeforeEach
    void open() throws IOException {
        wire = Wire.to(SharedServer.get().endpoint());
        table = Tables.withoutTtl(SharedServer.get().endpoint());
        store = DynamoDbKeyStore.open(Tables.url(wire.endpoint(), table), Tables.PATIENT, clock);
    }

    @AfterEach
    void close() {
        store.close();
        wire.close();
    }

    @Test
    void a_large_table_is_walked_in_segments_and_every_key_is_met_once_a_pass() {
        List<KeyId> silent = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            silent.add(Keys.id("silent " + i));
            Keys.insert(store, silent.getLast());
        }
        clock.advance(Keys.HOUR);
        TableCheck large = new TableCheck(Survives.PROCESS_DEATH, Forgetting.SWEEP, 10L << 30);
        try (DynamoDbClient client = Tables.client(wire.endpoint())) {
            TableCalls calls = new TableCalls(client, table, true);
            for (int walk = 0; walk < 5; walk++) {
                DynamoDbSweep sweep = new DynamoDbSweep(calls, clock, large, Tables.PATIENT);
                for (int pass = 0; pass < 2; pass++) {
                    wire.sent();
                    assertEquals(sorted(silent), sorted(onePass(sweep)));
                    assertTrue(wire.sent().size() >= 41, "it was not walked in segments");
                }
            }
        }
    }

    private static List<KeyId> onePass(DynamoDbSweep sweep) {
        List<KeyId> due = new ArrayList<>();
        Swept step;
        do {
            step = sweep.step(7, false);
            due.addAll(step.due());
        } while (!step.finished());
        return due;
    }

    private static List<String> sorted(List<KeyId> ids) {
        return ids.stream().map(KeyId::key).sorted().toList();
    }

    @Test
    void a_sweep_over_its_budget_sends_nothing_and_is_not_finished() {
        DynamoDbOptions slow = Tables.PATIENT.withSweepUnits(1);
        try (DynamoDbKeyStore thrifty = DynamoDbKeyStore.open(Tables.url(wire.endpoint(), table), slow, clock)) {
            for (int i = 0; i < 20; i++)
                Keys.replace(store, Keys.insert(store, Keys.id("k" + i)), Keys.done(new byte[5000]));
            wire.sent();
            Swept first = thrifty.sweep(10);
            assertEquals(10, first.looked());
            assertEquals(List.of("Scan"), wire.sent());
            Swept second = thrifty.sweep(10);
            assertEquals(0, second.looked());
            assertFalse(second.finished());
            assertEquals(List.of(), wire.sent());
        }
    }

    @Test
    void a_sweep_that_is_off_is_finished_at_once() {
        String withTtl = Tables.freshName();
        DynamoDbOptions off = Tables.PATIENT.withSweepUnits(0).withCreateTable(true);
        try (DynamoDbKeyStore lazy = DynamoDbKeyStore.open(Tables.url(wire.endpoint(), withTtl), off, clock)) {
            Keys.insert(lazy, Keys.id("k"));
            wire.sent();
            assertEquals(new Swept(0, 0, 0, true), lazy.sweep(10));
            assertEquals(List.of(), wire.sent());
        }
    }

    @Test
    void what_was_used_too_much_is_made_up_for() {
        AtomicLong nanos = new AtomicLong(-5);
        CapacityBudget budget = new CapacityBudget(10, nanos::get);
        assertTrue(budget.isOpen());
        budget.use(25);
        budget.use(5);
        assertFalse(budget.isOpen());
        nanos.addAndGet(Duration.ofSeconds(3).toNanos() - 1);
        assertFalse(budget.isOpen());
        nanos.addAndGet(1);
        assertTrue(budget.isOpen());
        nanos.addAndGet(Duration.ofDays(1).toNanos());
        budget.use(1);
        assertFalse(budget.isOpen(), "what was not used is not saved up");
    }

    @Test
    void where_the_server_forgets_the_sweep_leaves_it_to_the_server() {
        String withTtl = Tables.freshName();
        DynamoDbOptions made = Tables.PATIENT.withCreateTable(true);
        Duration longAhead = Duration.between(clock.instant(), Instant.now()).plusDays(400);
        clock.advance(longAhead);
        try (DynamoDbKeyStore expiring = DynamoDbKeyStore.open(Tables.url(wire.endpoint(), withTtl), made, clock)) {
            assertEquals(Forgetting.SERVER, expiring.traits().forgetting());
            KeyRecord free = Keys.replace(expiring, Keys.insert(expiring, Keys.id("k")), new Next.Free(Keys.HOUR));
            clock.advance(Keys.HOUR);
            wire.sent();
            assertEquals(0, expiring.sweep(10).removed());
            assertEquals(List.of("Scan"), wire.sent());
            assertNull(expiring.find(free.id()).record().asOf(clock.instant()), "and it counts as absent all the same");
        }
    }

    @Test
    void every_doubt_is_counted_whether_or_not_it_is_due() {
        Keys.replace(store, Keys.insert(store, Keys.id("a")), new Next.InDoubt("?"));
        Keys.replace(store, Keys.insert(store, Keys.id("b")), new Next.InDoubt("?", 0, Keys.HOUR, null));
        Swept swept = store.sweep(10);
        assertEquals(2, swept.inDoubt());
        assertEquals(new HashSet<>(List.of(Keys.id("a"))), new HashSet<>(swept.due()));
    }
}
