package dev.semel.examples.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Somebody who watches the demo, and presses keys to break things; or nobody, and then the gateway is killed half-way. */
final class Viewer implements AutoCloseable {
    private final Scoreboard scoreboard;
    private final BlockingQueue<Character> keys;
    private final @Nullable Duration killAt;
    private final AutoCloseable keyboard;

    private Viewer(
            Scoreboard scoreboard, BlockingQueue<Character> keys, @Nullable Duration killAt, AutoCloseable keyboard) {
        this.scoreboard = scoreboard;
        this.keys = keys;
        this.killAt = killAt;
        this.keyboard = keyboard;
    }

    static Viewer of(PrintStream out, Duration duration) {
        if (out != System.out || !Terminal.isThere()) return nobody(out, duration);
        BlockingQueue<Character> keys = new LinkedBlockingQueue<>();
        Scoreboard live = new Scoreboard.Live(out, new Board(Terminal.wantsColours(), out.charset()));
        return new Viewer(live, keys, null, Keyboard.into(keys));
    }

    static Viewer nobody(PrintStream out, Duration duration) {
        boolean endless = duration.compareTo(Demo.UNTIL_INTERRUPTED) >= 0;
        return new Viewer(
                new Scoreboard.Plain(out),
                new LinkedBlockingQueue<>(),
                endless ? null : duration.dividedBy(2),
                () -> {});
    }

    /** Presses these keys, whenever the test puts one in. */
    static Viewer pressing(BlockingQueue<Character> keys, PrintStream out) {
        return new Viewer(new Scoreboard.Plain(out), keys, null, () -> {});
    }

    Duration refreshInterval() {
        return scoreboard.refreshInterval();
    }

    void begin(Addresses addresses) {
        scoreboard.begin(addresses);
    }

    /** Returns when the time is over, the viewer has had enough, or the thread is interrupted. */
    void watch(SummaryCollector collector, Incidents incidents, Duration duration) {
        boolean killed = killAt == null;
        try {
            for (Summary now = collector.now(); now.elapsed().compareTo(duration) < 0; now = collector.now()) {
                scoreboard.show(now);
                if (!killed && killAt != null && now.elapsed().compareTo(killAt) >= 0) {
                    incidents.killGateway();
                    killed = true;
                }
                long wait = Math.min(
                        refreshInterval().toNanos(),
                        duration.minus(now.elapsed()).toNanos());
                Character key = keys.poll(wait, TimeUnit.NANOSECONDS);
                if (key != null && !obey(key, incidents)) return;
            }
        } catch (InterruptedException enough) {
            // The other way to end the demo.
        }
    }

    /** @return false when the viewer has had enough */
    private static boolean obey(char key, Incidents incidents) {
        switch (key) {
            case 'k' -> incidents.killGateway();
            case 'p' -> incidents.crashServices();
            case 'l' -> incidents.loseAllAnswers();
            default -> {}
        }
        return key != 'q';
    }

    void finishing(Summary now) {
        scoreboard.finishing(now);
    }

    void end(Summary last) {
        scoreboard.end(last);
    }

    @Override
    public void close() {
        scoreboard.close();
        try {
            keyboard.close();
        } catch (Exception e) {
            throw new IllegalStateException("The terminal could not be restored: type reset.", e);
        }
    }
}
