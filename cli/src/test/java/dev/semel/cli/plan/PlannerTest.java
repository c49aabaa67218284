package dev.semel.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Sums that were done by hand, on bytes that are round. */
class PlannerTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration NONE = Duration.ZERO;
    private static final NavigableMap<Long, Long> NOTHING = new TreeMap<>();

    private static MeasuredBytes measured(String store) {
        return new MeasuredBytes(store, 250, sizes(200, 1200), 200, NOTHING, NONE, "", "");
    }

    /** Outcomes of 0 and of 1000 bytes, and the same line goes on. */
    private static NavigableMap<Long, Long> sizes(long empty, long thousand) {
        return new TreeMap<>(Map.of(0L, empty, 1000L, thousand));
    }

    private static StorePlan plan(String store, Demand demand, String... prices) {
        Prices given = Prices.defaults();
        for (String each : prices) given = given.with(each);
        return new Planner(demand, given).plan(measured(store));
    }

    @Test
    void ten_thousand_a_second_for_a_day_are_864_million_keys_and_by_the_usual_estimate_228_gigabytes() {
        Demand demand = new Demand(10_000, 200, DAY, NONE, 0);
        assertEquals(864e6, demand.outcomes());
        assertEquals(264, Planner.estimate(200));
        assertEquals("228 GB", PlanText.bytes(Planner.estimate(200) * demand.outcomes()));
        Demand hour = demand.withRetention(Duration.ofHours(1));
        assertEquals(36e6, hour.outcomes());
        assertEquals("9.50 GB", PlanText.bytes(Planner.estimate(200) * hour.outcomes()));
    }

    @Test
    void a_key_with_an_outcome_is_on_the_line_between_the_sizes_that_were_measured() {
        MeasuredBytes bytes = new MeasuredBytes(
                "x", 1, new TreeMap<>(Map.of(0L, 100L, 1000L, 1300L, 2000L, 2000L)), 1, NOTHING, NONE, "", "");
        assertEquals(100, bytes.done(0));
        assertEquals(700, bytes.done(500));
        assertEquals(1300, bytes.done(1000));
        assertEquals(1650, bytes.done(1500));
        assertEquals(2000, bytes.done(2000));
        assertEquals(2700, bytes.done(3000), "beyond the largest the last line goes on");
    }

    @Test
    void outcomes_are_kept_for_the_retention_and_tombstones_after_it() {
        StorePlan plan = plan("postgresql", new Demand(10, 1000, DAY, DAY.multipliedBy(30), 0.5));
        assertEquals(864_000.0 * 1200, plan.outcomes());
        assertEquals(864_000.0 * 30 * 200, plan.tombstones());
        assertEquals(plan.outcomes() + plan.tombstones(), plan.total());
        assertEquals(20, plan.writesPerSecond());
        assertEquals(5, plan.readsPerSecond());
        assertEquals(
                Map.of("1h", 36_000.0 * 1200, "24h", 864_000.0 * 1200, "30d", 25_920_000.0 * 1200), plan.windows());
    }

    @Test
    void a_disk_is_paid_in_all_copies_and_with_what_stays_free() {
        Demand demand = new Demand(1000, 800, DAY, NONE, 0);
        StorePlan plan = plan("postgresql", demand, "disk=0.1", "disk-fill=0.5", "postgresql.copies=2", "machine=100");
        assertEquals(86.4e9, plan.outcomes());
        assertEquals(86.4 * 2 / 0.5 * 0.1, plan.cost().storage(), 1e-9);
        assertEquals(2, plan.cost().machineCount());
        assertEquals(200, plan.cost().machines());
        assertEquals(0, plan.cost().requests());
        assertEquals(0, plan("rocksdb", demand).cost().machines(), "it is inside of a gateway");
    }

    @Test
    void a_rate_beyond_one_database_needs_several_and_says_so() {
        StorePlan plan = plan("mariadb", new Demand(11_000, 0, DAY, NONE, 0), "mariadb.tps=5000", "mariadb.copies=2");
        assertEquals(6, plan.cost().machineCount());
        assertTrue(
                String.join(" ", plan.notes()).contains("3 databases"),
                plan.notes().toString());
    }

    @Test
    void redis_is_paid_by_memory() {
        StorePlan plan = plan("redis", new Demand(1000, 800, DAY, NONE, 0), "memory=10", "memory-fill=0.5");
        assertEquals(86.4 * 2 / 0.5 * 10, plan.cost().storage(), 1e-9);
        assertEquals(plan.cost().storage(), plan.cost().total());
    }

    @Test
    void dynamodb_is_billed_by_kilobytes_begun_and_a_hundred_bytes_more_an_item() {
        Demand demand = new Demand(1, 1000, DAY, NONE, 0.1);
        StorePlan plan = plan("dynamodb", demand, "dynamodb.write=1", "dynamodb.storage=1");
        assertEquals(Map.of("fresh", 3.0, "replay", 2.0), plan.units());
        assertEquals(2.592 * (3 + 0.1 * 2), plan.cost().requests(), 1e-9);
        assertEquals(86_400 * 1300 / 1e9, plan.cost().storage(), 1e-12);
        assertEquals(
                Map.of("fresh", 2.0, "replay", 1.0),
                plan("dynamodb", new Demand(1, 824, DAY, NONE, 0)).units());
        assertEquals(
                Map.of("fresh", 3.0, "replay", 2.0),
                plan("dynamodb", new Demand(1, 825, DAY, NONE, 0)).units());
    }

    @Test
    void dynamodb_strips_outcomes_only_where_that_is_cheaper_than_to_keep_them() {
        Demand month = new Demand(1, 1000, DAY, DAY.multipliedBy(30), 0);
        StorePlan kept = plan("dynamodb", month);
        assertEquals(86_400.0 * 30 * 1300, kept.tombstones());
        assertEquals(2.592 * 3 * 0.625, kept.cost().requests(), 1e-9);
        Demand years = new Demand(1, 1000, DAY, DAY.multipliedBy(300), 0);
        StorePlan stripped = plan("dynamodb", years);
        assertEquals(86_400.0 * 300 * 300, stripped.tombstones());
        assertEquals(2.592 * 5 * 0.625, stripped.cost().requests(), 1e-9);
    }

    @Test
    void cassandra_keeps_outcomes_and_paxos_some_hours_longer_and_needs_machines_by_replicas_rate_or_disk() {
        MeasuredBytes bytes = new MeasuredBytes(
                "cassandra", 250, sizes(200, 1200), 200, sizes(300, 1300), Duration.ofHours(4), "", "");
        Demand demand = new Demand(100, 1000, DAY, DAY, 0);
        StorePlan plan = new Planner(demand, Prices.defaults()).plan(bytes);
        assertEquals(100.0 * 28 * 3600 * 1200, plan.outcomes());
        assertEquals(100.0 * 20 * 3600 * 200, plan.tombstones());
        assertEquals(100.0 * 4 * 3600 * 1300, plan.passing());
        assertEquals(3, plan.cost().machineCount(), "as many as replicas");
        assertEquals(7, machines(bytes, demand, "cassandra.tps=15"), "by the rate");
        double disk = plan.total() * 3 / 1e9 / 0.7;
        assertEquals((int) Math.ceil(disk / 10), machines(bytes, demand, "cassandra.disk=10"), "by the disk");
    }

    private static int machines(MeasuredBytes bytes, Demand demand, String price) {
        return new Planner(demand, Prices.defaults().with(price))
                .plan(bytes)
                .cost()
                .machineCount();
    }

    @Test
    void prices_that_make_no_sense_are_refused() {
        for (String each : List.of(
                "disk",
                "disk=",
                "disk=-1",
                "disk=NaN",
                "disk=Infinity",
                "disk-fill=0",
                "disk-fill=2",
                "cassandra.tps=0",
                "redis.copies=0",
                "no-such=1"))
            assertThrows(IllegalArgumentException.class, () -> Prices.defaults().with(each), each);
    }

    @Test
    void demands_that_make_no_sense_are_refused() {
        for (double rate : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
            assertThrows(IllegalArgumentException.class, () -> new Demand(rate, 1, DAY, NONE, 0));
        assertThrows(IllegalArgumentException.class, () -> new Demand(1, -1, DAY, NONE, 0));
        assertThrows(IllegalArgumentException.class, () -> new Demand(1, 1, NONE, NONE, 0));
        assertThrows(IllegalArgumentException.class, () -> new Demand(1, 1, DAY, NONE, Double.NaN));
    }

    @Test
    void numbers_are_read_and_written_as_people_do() {
        assertEquals(200, PlanText.size("200"));
        assertEquals(1000, PlanText.size("1KB"));
        assertEquals(65_536, PlanText.size("64KiB"));
        for (String odd : List.of("", "-1", "1.5KB", "1GB", "99999999999MB", "KB"))
            assertThrows(IllegalArgumentException.class, () -> PlanText.size(odd), odd);
        assertEquals("0 B", PlanText.bytes(0));
        assertEquals("999 B", PlanText.bytes(999));
        assertEquals("1.00 MB", PlanText.bytes(999_999));
        assertEquals("25.9 G", PlanText.count(25.92e9));
        assertEquals("864 M", PlanText.count(864e6));
        assertEquals("10,000", PlanText.count(10_000));
        assertFalse(PlanText.money(1234567).contains("E"));
    }
}
