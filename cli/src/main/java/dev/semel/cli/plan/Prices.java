package dev.semel.cli.plan;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** The numbers that a plan reckons with beside measured bytes. Each has a default, and each can be given. */
public final class Prices {
    /** When the defaults were written down. */
    public static final String AS_OF = "November 2026";

    private static final String LIST = "list price of AWS us-east-1, on demand; check it";
    private static final String UNCHECKED = "believed of AWS us-east-1, not checked";
    private static final String ASSUMED = "assumption; set your own";

    private final Map<String, Price> byName;

    private Prices(Map<String, Price> byName) {
        this.byName = byName;
    }

    public static Prices defaults() {
        Map<String, Price> all = new LinkedHashMap<>();
        put(all, "disk", 0.08, "USD a GB and month", "general purpose SSD volume; " + UNCHECKED);
        put(all, "disk-fill", 0.7, "part of a disk that is used", ASSUMED);
        put(all, "memory", 12, "USD a GB and month", "managed Redis; " + UNCHECKED);
        put(all, "memory-fill", 0.75, "part of the memory that is used", ASSUMED);
        put(all, "machine", 250, "USD a month", "8 processors, 32 GB; " + ASSUMED);
        put(all, "dynamodb.write", 0.625, "USD a million write units", LIST);
        put(all, "dynamodb.read", 0.125, "USD a million read units", LIST);
        put(all, "dynamodb.storage", 0.25, "USD a GB and month", UNCHECKED);
        put(all, "rocksdb.copies", 1, "copies of the data", "one process has it");
        put(all, "postgresql.copies", 2, "copies of the data", "a synchronous standby; " + ASSUMED);
        put(all, "mariadb.copies", 2, "copies of the data", "a standby; " + ASSUMED);
        put(all, "redis.copies", 2, "copies of the data", "a replica of each master; " + ASSUMED);
        put(all, "cassandra.copies", 3, "copies of the data", "replicas of the keyspace, as its page says");
        put(all, "postgresql.tps", 10_000, "new keys a second of one machine", ASSUMED);
        put(all, "mariadb.tps", 5_000, "new keys a second of one machine", ASSUMED);
        put(all, "cassandra.tps", 1_500, "new keys a second for each machine", ASSUMED);
        put(all, "cassandra.disk", 2_000, "GB at most on one machine", ASSUMED);
        return new Prices(all);
    }

    private static void put(Map<String, Price> all, String name, double value, String unit, String from) {
        all.put(name, new Price(name, value, unit, from));
    }

    /**
     * With one of them as given.
     *
     * @param given {@code name=value}
     * @throws IllegalArgumentException when there is none of that name, or the value is none
     */
    public Prices with(String given) {
        int mark = given.indexOf('=');
        if (mark < 0)
            throw new IllegalArgumentException("A price is name=value, such as disk=0.1, not '" + given + "'.");
        String name = given.substring(0, mark).strip();
        Price price = byName.get(name);
        if (price == null)
            throw new IllegalArgumentException(
                    "There is no price '" + name + "'. There are " + String.join(", ", byName.keySet()) + ".");
        Map<String, Price> changed = new LinkedHashMap<>(byName);
        changed.put(name, price.withValue(value(given, given.substring(mark + 1).strip())));
        Price checked = changed.get(name);
        if (checked != null) requireUsable(checked);
        return new Prices(changed);
    }

    private static double value(String given, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + given + "' has no number after the '='.", e);
        }
    }

    private static void requireUsable(Price price) {
        boolean fill = price.name().endsWith("-fill");
        boolean divides = fill || price.name().endsWith(".tps") || price.name().equals("cassandra.disk");
        boolean usable = Double.isFinite(price.value())
                && price.value() >= 0
                && price.value() <= (fill ? 1 : 1e12)
                && (!divides || price.value() > 0)
                && (!price.name().endsWith(".copies") || price.value() >= 1);
        if (!usable) throw new IllegalArgumentException(price.name() + " cannot be " + price.value() + ".");
    }

    public Collection<Price> all() {
        return byName.values();
    }

    double of(String name) {
        Price price = byName.get(name);
        if (price == null) throw new IllegalArgumentException("There is no price " + name);
        return price.value();
    }
}
