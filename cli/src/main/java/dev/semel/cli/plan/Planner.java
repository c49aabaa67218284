package dev.semel.cli.plan;

import dev.semel.cli.plan.StorePlan.Cost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reckons what keys take and cost. All sums are here; nothing is rounded. */
public final class Planner {
    /** Windows that are shown beside the retention that was asked for. */
    public static final List<Duration> WINDOWS =
            List.of(Duration.ofHours(1), Duration.ofHours(24), Duration.ofDays(30));

    /** As such sums are often made: a UUID, and a few numbers, beside the outcome. */
    public static final long ESTIMATED_KEY = 36;

    public static final long ESTIMATED_REST = 28;

    private static final double GB = 1e9;
    private static final double MILLION = 1e6;
    private static final long UNIT = 1024;

    /** What DynamoDB adds to each item when it bills storage. */
    private static final int BILLED_BESIDE = 100;

    private final Demand demand;
    private final Prices prices;

    public Planner(Demand demand, Prices prices) {
        this.demand = demand;
        this.prices = prices;
    }

    /** Bytes a key as they are often estimated, without any store. */
    public static double estimate(long body) {
        return ESTIMATED_KEY + body + ESTIMATED_REST;
    }

    public StorePlan plan(MeasuredBytes bytes) {
        return switch (bytes.store()) {
            case "dynamodb" -> dynamoDb(bytes);
            case "redis" -> redis(bytes);
            case "cassandra" -> cassandra(bytes);
            case "rocksdb" -> onDisk(bytes, 0, List.of("inside of one gateway: no machine of its own"));
            default -> onDisk(bytes, machines(bytes.store()), List.of());
        };
    }

    /** A primary, as many of them as the rate needs, and a machine for each further copy. */
    private int machines(String store) {
        double primaries = Math.ceil(demand.perSecond() / prices.of(store + ".tps"));
        return (int) Math.ceil(primaries * prices.of(store + ".copies"));
    }

    private StorePlan onDisk(MeasuredBytes bytes, int machines, List<String> notes) {
        double copies = prices.of(bytes.store() + ".copies");
        double outcomes = demand.outcomes() * bytes.done(demand.body());
        double tombstones = demand.tombstones() * bytes.tombstone();
        List<String> all = new ArrayList<>(notes);
        double databases = machines / copies;
        if (databases > 1)
            all.add(
                    "more than one machine takes: keys would have to be spread over %.0f databases, which is yours to do"
                            .formatted(databases));
        Cost cost = new Cost(disk((outcomes + tombstones) * copies), 0, machines * prices.of("machine"), machines);
        return row(bytes, each(bytes), outcomes, tombstones, 0, copies, Map.of(), cost, all);
    }

    private double disk(double bytes) {
        return bytes / GB / prices.of("disk-fill") * prices.of("disk");
    }

    /** All in memory, in as many copies as there are. */
    private StorePlan redis(MeasuredBytes bytes) {
        double copies = prices.of("redis.copies");
        double outcomes = demand.outcomes() * bytes.done(demand.body());
        double tombstones = demand.tombstones() * bytes.tombstone();
        double memory = (outcomes + tombstones) * copies / GB / prices.of("memory-fill") * prices.of("memory");
        List<String> notes = copies > 1
                ? List.of("with replicas a fail-over loses what was acknowledged last, so at-most-once does not start")
                : List.of("one server, nothing takes over");
        return row(bytes, each(bytes), outcomes, tombstones, 0, copies, Map.of(), new Cost(memory, 0, 0, 0), notes);
    }

    /** Outcomes stay on disk for as long as Paxos keeps its copies, after their retention; machines by rate and by disk. */
    private StorePlan cassandra(MeasuredBytes bytes) {
        double copies = prices.of("cassandra.copies");
        double grace = demand.perSecond() * Demand.seconds(bytes.passingTime());
        double outcomes = (demand.outcomes() + grace) * bytes.done(demand.body());
        double tombstones = Math.max(0, demand.tombstones() - grace) * bytes.tombstone();
        double passing = grace * bytes.passing(demand.body());
        double disk = (outcomes + tombstones + passing) * copies;
        double byRate = demand.perSecond() / prices.of("cassandra.tps");
        double byDisk = disk / GB / prices.of("disk-fill") / prices.of("cassandra.disk");
        int machines = (int) Math.ceil(Math.max(copies, Math.max(byRate, byDisk)));
        Cost cost = new Cost(disk(disk), 0, machines * prices.of("machine"), machines);
        List<String> notes = List.of("outcomes, and the last write of each key in system.paxos, stay "
                + bytes.passingTime().toHours() + " h longer");
        return row(bytes, each(bytes), outcomes, tombstones, passing, copies, Map.of(), cost, notes);
    }

    /** By the unit: writes of 1 KB each, of the larger of what was there and what is written; a refused claim too. */
    private StorePlan dynamoDb(MeasuredBytes bytes) {
        double done = bytes.done(demand.body());
        double claim = units((double) bytes.held());
        double fresh = claim + units(done);
        double replay = units(done);
        boolean strips = demand.tombstones() > 0 && stripsCheaper(bytes, done);
        Each each = new Each(done + BILLED_BESIDE, (strips ? bytes.tombstone() : done) + BILLED_BESIDE);
        double outcomes = demand.outcomes() * each.outcome();
        double tombstones = demand.tombstones() * each.tombstone();
        double writes =
                demand.newKeysAMonth() * (fresh + (strips ? units(done) : 0)) + demand.duplicatesAMonth() * replay;
        Map<String, Double> units = new LinkedHashMap<>();
        units.put("fresh", fresh);
        units.put("replay", replay);
        Cost cost = new Cost(
                (outcomes + tombstones) / GB * prices.of("dynamodb.storage"),
                writes / MILLION * prices.of("dynamodb.write"),
                0,
                0);
        List<String> notes = new ArrayList<>();
        notes.add("%.0f write units a fresh key, %.0f a replay; sizes with the %d bytes that are billed beside"
                .formatted(fresh, replay, BILLED_BESIDE));
        if (demand.tombstones() > 0)
            notes.add(
                    strips
                            ? "outcomes are stripped after their retention, for one more write; the reads of the sweep"
                                    + " come on top"
                            : "outcomes stay until their tombstone goes (strip=false): stripping would cost more than"
                                    + " it saves");
        return row(bytes, each, outcomes, tombstones, 0, 1, units, cost, notes);
    }

    private static double units(double bytes) {
        return Math.max(1, Math.ceil(bytes / UNIT));
    }

    /** Whether a write to take an outcome away costs less than to keep it for as long as its tombstone. */
    private boolean stripsCheaper(MeasuredBytes bytes, double done) {
        double months = Demand.seconds(demand.tombstone()) / Demand.MONTH.toSeconds();
        double saved = (done - bytes.tombstone()) / GB * months * prices.of("dynamodb.storage");
        return saved > units(done) / MILLION * prices.of("dynamodb.write");
    }

    /** Bytes of one key, as they count for the store. */
    private record Each(double outcome, double tombstone) {}

    private Each each(MeasuredBytes bytes) {
        return new Each(bytes.done(demand.body()), bytes.tombstone());
    }

    private StorePlan row(
            MeasuredBytes bytes,
            Each each,
            double outcomes,
            double tombstones,
            double passing,
            double copies,
            Map<String, Double> units,
            Cost cost,
            List<String> notes) {
        Map<String, Double> windows = new LinkedHashMap<>();
        for (Duration window : WINDOWS)
            windows.put(PlanText.time(window), demand.withRetention(window).outcomes() * each.outcome());
        return new StorePlan(
                bytes,
                each.outcome(),
                each.tombstone(),
                outcomes,
                tombstones,
                passing,
                copies,
                demand.perSecond() * 2,
                demand.perSecond() * demand.duplicates(),
                units,
                windows,
                cost,
                notes);
    }
}
