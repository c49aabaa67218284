package dev.semel.examples.demo.messages;

import dev.semel.examples.demo.Demo;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Customers order, and every order needs an invoice, which another service writes. The same orders go over two brokers that are
 * equally bad: once by an outbox, a relay and an inbox, once as most services send and receive. The invoices tell what came of it.
 */
public final class MessagesDemo implements AutoCloseable {
    private static final int FIRST_ORDERS = 10;
    private static final Duration BETWEEN_ORDERS = Duration.ofMillis(40);
    private static final Duration FIRST_OUTAGE = Duration.ofSeconds(3);
    private static final Duration BETWEEN_OUTAGES = Duration.ofSeconds(8);
    private static final Duration OUTAGE = Duration.ofMillis(1500);
    private static final Duration BLACKOUT = Duration.ofSeconds(3);

    /** How long customers wait for an answer before they try again. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    /** Long enough for a restart, and shorter than Ctrl-C waits. */
    private static final Duration FINISH = Duration.ofSeconds(12);

    private final MessagesSide with;
    private final MessagesSide bare;
    private final List<MessagesSide> sides;
    private final SplittableRandom random;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("demo-clock").factory());
    private long start = System.nanoTime();
    private volatile boolean takesOrders = true;
    private int ordered;
    private int kills;
    private int crashes;
    private int outages;
    private int blackouts;

    private MessagesDemo(MessagesSide with, MessagesSide bare, long seed) {
        this.with = with;
        this.bare = bare;
        this.sides = List.of(with, bare);
        this.random = new SplittableRandom(seed);
    }

    /** Two databases of PostgreSQL that are empty. */
    public record Databases(String with, String bare) {}

    /**
     * Runs the demo, shows it, and prints how it ended. An interrupt ends it early and is used up by that. No thread and no process
     * is left when it returns.
     *
     * @param folder for logs
     * @param seed of the orders, and of what the brokers do to them
     * @param out redrawn in place when it is {@code System.out} and a terminal, and the keys of the viewer are read then
     */
    public static MessagesSummary run(Databases databases, Path folder, Duration duration, long seed, PrintStream out)
            throws IOException, SQLException, InterruptedException {
        try (MessagesSide with = new MessagesSide(true, databases.with(), folder, seed);
                MessagesSide bare = new MessagesSide(false, databases.bare(), folder, seed);
                MessagesDemo demo = new MessagesDemo(with, bare, seed)) {
            for (MessagesSide side : demo.sides) side.shop.awaitReady();
            demo.warmUp();
            try (MessagesScreen screen = MessagesScreen.on(out)) {
                screen.begin();
                demo.begin();
                demo.watch(screen, duration);
                demo.finish(screen);
            }
            MessagesSummary last = demo.summary(true);
            new MessagesReport(last, seed, duration).print(out);
            return last;
        }
    }

    /** A few orders by a good broker first: what has just been started is slow, and that is no fault of the broker. */
    private void warmUp() throws SQLException, InterruptedException {
        long end = System.nanoTime() + FINISH.toNanos();
        for (int i = 0; i < FIRST_ORDERS; i++) order();
        while (!isQuiet() && System.nanoTime() - end < 0) Thread.sleep(50);
        sides.forEach(side -> side.broker.setBad());
    }

    private void begin() {
        start = System.nanoTime();
        every(Duration.ZERO, BETWEEN_ORDERS, this::order);
        every(FIRST_OUTAGE, BETWEEN_OUTAGES, this::away);
        every(RETRY, RETRY, () -> sides.forEach(side -> side.shop.retry()));
    }

    private void every(Duration first, Duration time, Runnable work) {
        var unused = clock.scheduleAtFixedRate(work, first.toMillis(), time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void after(Duration time, Runnable work) {
        var unused = clock.schedule(work, time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The same on every side, at the same moment. */
    private void order() {
        if (!takesOrders) return;
        OrderPlaced order = OrderPlaced.next(++ordered, random);
        sides.forEach(side -> side.shop.place(order));
    }

    private void watch(MessagesScreen screen, Duration duration) throws SQLException {
        boolean killed = screen.isWatched() || duration.compareTo(Demo.UNTIL_INTERRUPTED) >= 0;
        try {
            for (MessagesSummary now = summary(false); now.elapsed().compareTo(duration) < 0; now = summary(false)) {
                screen.show(now);
                if (!killed && now.elapsed().compareTo(duration.dividedBy(2)) >= 0) {
                    killed = true;
                    killShops();
                    crashBilling();
                }
                Character key = screen.nextKey();
                if (key != null && !obey(key)) return;
            }
        } catch (InterruptedException enough) {
            // The other way to end the demo.
        }
    }

    /** @return false when the viewer has had enough */
    private boolean obey(char key) {
        switch (key) {
            case 'k' -> killShops();
            case 'b' -> clock.execute(this::away);
            case 'c' -> crashBilling();
            case 'l' -> loseAllAnswers();
            default -> {}
        }
        return key != 'q';
    }

    private void killShops() {
        if (!sides.stream().allMatch(side -> side.shop.isUp())) return;
        kills++;
        sides.forEach(side -> side.shop.kill());
    }

    private void crashBilling() {
        if (!sides.stream().allMatch(side -> side.billing.isUp())) return;
        crashes++;
        sides.forEach(side -> side.billing.crash());
    }

    private void away() {
        if (!takesOrders || with.broker.isAway()) return;
        outages++;
        sides.forEach(side -> side.broker.setAway(true));
        after(OUTAGE, () -> sides.forEach(side -> side.broker.setAway(false)));
    }

    private void loseAllAnswers() {
        blackouts++;
        sides.forEach(side -> side.broker.setLosesAllAnswers(true));
        after(BLACKOUT, () -> sides.forEach(side -> side.broker.setLosesAllAnswers(false)));
    }

    /** The brokers are good ones now, and what was begun comes to its end. */
    private void finish(MessagesScreen screen) throws SQLException {
        takesOrders = false;
        sides.forEach(side -> side.broker.heal());
        long end = System.nanoTime() + FINISH.toNanos();
        try {
            // Twice: what was just taken over by somebody is seen at the second look.
            for (int quiet = 0; quiet < 2 && System.nanoTime() - end < 0; quiet = isQuiet() ? quiet + 1 : 0) {
                screen.finishing(summary(false));
                screen.nextKey();
            }
        } catch (InterruptedException enough) {
            // Then without them.
        }
    }

    private boolean isQuiet() throws SQLException {
        return with.isQuiet() && bare.isQuiet();
    }

    private MessagesSummary summary(boolean over) throws SQLException {
        return new MessagesSummary(
                Duration.ofNanos(System.nanoTime() - start),
                over ? with.atTheEnd() : with.now(),
                over ? bare.atTheEnd() : bare.now(),
                kills,
                crashes,
                outages,
                blackouts,
                sides.stream().allMatch(side -> side.shop.isUp()),
                sides.stream().allMatch(side -> side.billing.isUp()),
                !with.broker.isAway(),
                !with.broker.losesAllAnswers());
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
