package dev.semel.examples.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Shows how the demo stands: redrawn in place on a terminal, or one line a second into a file or pipe. */
sealed interface Scoreboard extends AutoCloseable {
    /** How long to wait between two calls of {@link #show}. */
    Duration refreshInterval();

    void begin(Addresses addresses);

    void show(Summary now);

    /** No new payments; the last ones are being finished. */
    void finishing(Summary now);

    /** Shows the last state. */
    void end(Summary last);

    /** Leaves the terminal as it was found. */
    @Override
    void close();

    /** On a screen of its own, which is gone at the end. */
    final class Live implements Scoreboard {
        private static final String KEYS = "k kill -9 the gateway   p crash the payments   l lose all answers   q end";
        private static final String FINISHING = "Finishing the last payments, which takes some seconds at most";

        private final PrintStream out;
        private final Board board;
        private Addresses addresses = Addresses.UNKNOWN;
        private boolean entered;

        Live(PrintStream out, Board board) {
            this.out = out;
            this.board = board;
        }

        @Override
        public Duration refreshInterval() {
            return Duration.ofMillis(200);
        }

        @Override
        public synchronized void begin(Addresses where) {
            addresses = where;
            entered = true;
            CtrlC.onExit(this::leave);
            out.print(Terminal.OTHER_SCREEN + Terminal.HIDE_CURSOR + Terminal.DO_NOT_WRAP);
        }

        @Override
        public void show(Summary now) {
            draw(board.lines(now, addresses, KEYS));
        }

        @Override
        public void finishing(Summary now) {
            draw(board.lines(now, addresses, FINISHING));
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

        @Override
        public void end(Summary last) {
            finishing(last);
            leave();
        }

        private synchronized void leave() {
            if (!entered) return;
            entered = false;
            out.print(Terminal.WRAP_AGAIN + Terminal.SHOW_CURSOR + Terminal.FIRST_SCREEN);
            out.flush();
        }

        @Override
        public void close() {
            leave();
        }
    }

    record Plain(PrintStream out) implements Scoreboard {
        @Override
        public Duration refreshInterval() {
            return Duration.ofSeconds(1);
        }

        @Override
        public void begin(Addresses addresses) {
            for (String line : addresses.lines()) out.println(line);
            out.println();
        }

        @Override
        public void show(Summary now) {
            SideCount with = now.guarded();
            SideCount bare = now.bare();
            out.println(String.format(
                    Locale.ROOT,
                    "%4ds  wanted %d   with Semel: charged %d, double %d   without: charged %d, double %d%s",
                    now.elapsed().toSeconds(),
                    with.wanted(),
                    with.charges(),
                    with.doubleCharges(),
                    bare.charges(),
                    bare.doubleCharges(),
                    now.incidents().gatewayUp() ? "" : "   (gateway down)"));
        }

        @Override
        public void finishing(Summary now) {
            show(now);
        }

        @Override
        public void end(Summary last) {}

        @Override
        public void close() {}
    }
}
