package dev.semel.store.jdbc;

import dev.semel.core.Once;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * A {@link CrashingShop} as a process of its own. Takes a line for each sale: its number, how it is done,
 * the key, and the point at which it stops, or {@code -}. It says so then, and goes on when it is told to, or never.
 */
final class ShopProcess {
    static final String READY = "ready";
    static final String GO = "go";

    private final CrashingShop shop;
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final Map<String, CountDownLatch> stopped = new ConcurrentHashMap<>();

    private ShopProcess(CrashingShop shop) {
        this.shop = shop;
    }

    /** Arguments: the address of the database, and a bug. Ends with its parent. */
    public static void main(String[] args) throws Exception {
        ShopProcess process = new ShopProcess(CrashingShop.open(args[0], JoiningBug.valueOf(args[1])));
        // Once through everything, so that a sale under test takes no time to load classes.
        String key = "first-of-" + ProcessHandle.current().pid();
        process.shop.joined(key, point -> {});
        process.shop.leased(key, point -> {});
        process.shop.stepped(key, true, point -> {});
        process.out.println(READY);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null; ) process.take(line.split(" ", -1));
        System.exit(0);
    }

    private void take(String[] words) {
        if (words[1].equals(GO)) stopped.get(words[0]).countDown();
        else Thread.ofPlatform().start(() -> sell(words[0], words[1], words[2], words[3]));
    }

    private void sell(String number, String how, String key, String stopAt) {
        stopped.put(number, new CountDownLatch(1));
        try {
            out.println(number + " " + sell(shop, how, key, point -> pass(number, point, stopAt)));
        } catch (SQLException | RuntimeException e) {
            out.println(number + " failed " + e);
        }
    }

    private void pass(String number, CrashPoint point, String stopAt) {
        if (!point.name().equals(stopAt)) return;
        out.println(number + " at " + point);
        try {
            stopped.get(number).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What came of a sale, in one line. */
    static String sell(CrashingShop shop, String how, String key, Consumer<CrashPoint> watch) throws SQLException {
        return said(
                switch (how) {
                    case "joined" -> shop.joined(key, watch);
                    case "transacted" -> shop.transacted(key, watch);
                    case "leased" -> shop.leased(key, watch);
                    case "stepped" -> shop.stepped(key, false, watch);
                    case "returned" -> shop.stepped(key, true, watch);
                    default -> throw new IllegalArgumentException(how);
                });
    }

    private static String said(Once<String> answer) {
        return switch (answer) {
            case Once.Ran<String> it -> "receipt " + it.value();
            case Once.Replayed<String> it -> "receipt " + it.value();
            case Once.InProgress<String> it -> "in-progress";
            case Once.InDoubt<String> it -> "in-doubt";
            case Once.Failed<String> it -> "receipt " + it.failure().getMessage();
            default -> "failed " + answer;
        };
    }
}
