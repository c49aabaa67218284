package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;

/**
 * Processes with the library are killed with SIGKILL at every point there is, while others ask for the same keys, and ask
 * again afterwards. What happened is read from the tables alone. {@code -Dsemel.crash.rounds} says how many are killed.
 */
abstract class KilledShop {
    static final int ROUNDS = Integer.getInteger("semel.crash.rounds", 25);
    static final long SEED =
            Long.getLong("semel.seed", ThreadLocalRandom.current().nextLong());
    static final int MOST_DUPLICATES = 4;
    private static final int CHILDREN = 3;
    private static final int MOST_KEYS = 3;

    final Random random = new Random(SEED);
    final List<ShopChild> children = new ArrayList<>();
    /** What anybody was told, by key. */
    final Map<String, Set<String>> receipts = new TreeMap<>();

    Sql sql;
    CrashingShop shop;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private JoiningBug bug = JoiningBug.NONE;
    private String url;

    /** The address of an empty database that nobody else has. */
    abstract String freshDatabase() throws SQLException;

    /** Where its server listens. */
    abstract int port();

    /** Keys without a sale, sales without a key, and keys with other than one sale, of all that there are. */
    abstract List<String> unequal() throws SQLException;

    /** The state of a key, and whether its outcome is this receipt. */
    abstract List<String> recorded(String operation, String key, String receipt) throws SQLException;

    final void open(JoiningBug bug) throws Exception {
        System.out.println("KilledShop: semel.seed=" + SEED);
        this.bug = bug;
        url = freshDatabase();
        sql = Sql.on(url);
        CrashingShop.makeTable(sql);
        shop = CrashingShop.open(url, bug);
        while (children.size() < CHILDREN) children.add(newChild());
    }

    final ShopChild newChild() throws Exception {
        return ShopChild.start(url, port(), bug);
    }

    @AfterEach
    void close() {
        children.forEach(ShopChild::close);
        threads.close();
        shop.close();
    }

    final CrashPoint any(List<CrashPoint> points) {
        return points.get(random.nextInt(points.size()));
    }

    final void joinedRound(int round, CrashPoint point) throws Exception {
        joinedRound("joined", round, point);
    }

    /** Who asks again does so either way. */
    final void joinedRound(String how, int round, CrashPoint point) throws Exception {
        List<String> keys = new ArrayList<>();
        for (int i = random.nextInt(MOST_KEYS); i >= 0; i--) keys.add("joined-" + round + "-" + i);
        ShopChild victim = children.removeFirst().awaitReady();
        for (String key : keys.subList(1, keys.size())) take(key, victim.sell(how, key));

        ShopChild.Sale last = stop(victim, point, how, keys.getFirst());
        List<Future<?>> duplicates = new ArrayList<>();
        for (int i = random.nextInt(MOST_DUPLICATES + 1); i > 0; i--)
            duplicates.add(askUntilToldInBackground(i, keys.getFirst()));
        kill(victim, keys.getFirst(), last);
        for (Future<?> duplicate : duplicates) duplicate.get();
        for (String key : keys) {
            askUntilTold(children.getFirst(), key);
            askUntilTold(null, key);
        }
        String where = "round " + round + ", killed at " + point + ", seed " + SEED;
        for (String key : keys) assertOneSale(key, where);
    }

    /** Stops a sale there, or while what it says next is on the wire. */
    final ShopChild.Sale stop(ShopChild victim, CrashPoint point, String how, String key) throws Exception {
        ShopChild.Sale sale = victim.sellUntil(point, how, key);
        HeldWire.Hold[] holds = HeldWire.Hold.values();
        if (point.onTheWire) victim.goOn(sale, holds[random.nextInt(holds.length)]);
        return sale;
    }

    /** What it may have said at the last moment counts too. */
    final void kill(ShopChild victim, String key, ShopChild.Sale last) throws Exception {
        victim.kill();
        children.add(newChild());
        take(key, last.said().get());
    }

    final Future<?> askUntilToldInBackground(int number, String key) {
        ShopChild asked = number % 2 == 0 ? null : children.get(number % children.size());
        return threads.submit(() -> {
            askUntilTold(asked, key);
            return null;
        });
    }

    /** @param asked null for this process */
    final void askUntilTold(ShopChild asked, String key) throws Exception {
        String said;
        do said = sell(asked, asked == null ? "joined" : "transacted", key);
        while (said.equals("in-progress"));
        assertTrue(said.startsWith("receipt "), () -> "a joined key is never unknown: " + key);
        take(key, said);
    }

    final String sell(ShopChild asked, String how, String key) throws Exception {
        if (asked != null) return asked.awaitReady().sell(how, key);
        return ShopProcess.sell(shop, how, key, at -> {});
    }

    final synchronized void take(String key, String said) {
        if (said.startsWith("receipt "))
            receipts.computeIfAbsent(key, none -> new TreeSet<>()).add(said.substring("receipt ".length()));
    }

    /** One effect, one key with the same receipt as its outcome, and nobody was told another. */
    final void assertOneSale(String key, String where) throws SQLException {
        assertEquals("1", joinedSales(key, "count(*)"), () -> "sales of " + key + ": " + where);
        String receipt = joinedSales(key, "min(receipt)");
        assertEquals(Set.of(receipt), receipts.get(key), where);
        assertEquals(List.of("2|t"), recorded("joined", key, receipt), () -> "the record of " + key + ": " + where);
    }

    final String joinedSales(String key, String what) throws SQLException {
        return sql.one("select " + what + " from sale where name = '" + key + "'");
    }
}
