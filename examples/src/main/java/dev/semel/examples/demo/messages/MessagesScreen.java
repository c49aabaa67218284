package dev.semel.examples.demo.messages;

import dev.semel.examples.demo.CtrlC;
import dev.semel.examples.demo.Keyboard;
import dev.semel.examples.demo.Terminal;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Shows how the demo stands: redrawn in place on a terminal whose keys are read, or one line a second into a file or pipe. */
final class MessagesScreen implements AutoCloseable {
    static final String KEYS = "k kill -9 the shops  b brokers away  c crash billing  l lose answers  q end";
    private static final String FINISHING = "Waiting for what is on the way, which takes some seconds at most";

    private final PrintStream out;
    private final @Nullable MessagesBoard board;
    private final BlockingQueue<Character> keys = new LinkedBlockingQueue<>();
    private final @Nullable Keyboard keyboard;
    private boolean entered;

    private MessagesScreen(PrintStream out, boolean live) {
        this.out = out;
        this.board = live ? new MessagesBoard(Terminal.wantsColours(), out.charset()) : null;
        this.keyboard = live ? Keyboard.into(keys) : null;
    }

    /** Live when it is {@code System.out} and a terminal. */
    static MessagesScreen on(PrintStream out) {
        return new MessagesScreen(out, out == System.out && Terminal.isThere());
    }

    /** Whether somebody can press keys. */
    boolean isWatched() {
        return board != null;
    }

    synchronized void begin() {
        if (board == null) {
            for (String road : MessagesBoard.ROADS) out.println(road);
            out.println();
            return;
        }
        entered = true;
        CtrlC.onExit(this::close);
        out.print(Terminal.OTHER_SCREEN + Terminal.HIDE_CURSOR + Terminal.DO_NOT_WRAP);
    }

    void show(MessagesSummary now) {
        if (board == null) out.println(line(now));
        else draw(board.lines(now, KEYS));
    }

    void finishing(MessagesSummary now) {
        if (board == null) out.println(line(now));
        else draw(board.lines(now, FINISHING));
    }

    private static String line(MessagesSummary now) {
        return String.format(
                Locale.ROOT,
                "%4ds  orders %d   with Semel: invoices %d, lost %d, twice %d   without: invoices %d, lost %d, twice"
                        + " %d%s%s",
                now.elapsed().toSeconds(),
                now.with().orders(),
                now.with().invoices(),
                now.with().lost(),
                now.with().twice(),
                now.bare().invoices(),
                now.bare().lost(),
                now.bare().twice(),
                now.brokersUp() ? "" : "   (brokers away)",
                now.shopsUp() ? "" : "   (shops down)");
    }

    /** In one piece, each line at its place: nothing scrolls and nothing flickers. */
    private synchronized void draw(List<String> lines) {
        if (!entered) return;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines.size(); i++)
            text.append(Terminal.line(i + 1)).append(lines.get(i)).append(Terminal.CLEAR_REST_OF_LINE);
        out.print(text);
        out.flush();
    }

    /** The key that is pressed within the time until the next picture; null when none is. */
    @Nullable
    Character nextKey() throws InterruptedException {
        return keys.poll(interval().toMillis(), TimeUnit.MILLISECONDS);
    }

    private Duration interval() {
        return board == null ? Duration.ofSeconds(1) : Duration.ofMillis(300);
    }

    /** Leaves the terminal as it was found. */
    @Override
    public synchronized void close() {
        if (entered) {
            out.print(Terminal.WRAP_AGAIN + Terminal.SHOW_CURSOR + Terminal.FIRST_SCREEN);
            out.flush();
        }
        entered = false;
        if (keyboard != null) keyboard.close();
    }
}
