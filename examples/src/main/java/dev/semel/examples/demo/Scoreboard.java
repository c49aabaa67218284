package dev.semel.examples.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** Shows how the demo stands: redrawn in place on a terminal, or one line a second into a file or pipe. */
sealed interface Scoreboard {
    /** How long to wait between two calls of {@link #show}. */
    Duration pace();

    void begin();

    void show(Summary now);

    /** Shows the last state and leaves the terminal as it was found. */
    void end(Summary last);

    static Scoreboard on(PrintStream out) {
        if (out != System.out || !Terminal.isThere()) return new Plain(out);
        return new Live(out, new Board(Terminal.wantsColours(), out.charset()));
    }

    record Live(PrintStream out, Board board) implements Scoreboard {
        @Override
        public Duration pace() {
            return Duration.ofMillis(200);
        }

        @Override
        public void begin() {
            out.print(Terminal.HIDE_CURSOR + Terminal.DO_NOT_WRAP + "\n".repeat(Board.HEIGHT));
        }

        @Override
        public void show(Summary now) {
            StringBuilder text = new StringBuilder(Terminal.up(Board.HEIGHT));
            for (String line : board.lines(now)) text.append(line).append(Terminal.CLEAR_REST_OF_LINE + "\n");
            out.print(text);
            out.flush();
        }

        @Override
        public void end(Summary last) {
            show(last);
            out.print(Terminal.WRAP_AGAIN + Terminal.SHOW_CURSOR);
            out.flush();
        }
    }

    record Plain(PrintStream out) implements Scoreboard {
        @Override
        public Duration pace() {
            return Duration.ofSeconds(1);
        }

        @Override
        public void begin() {}

        @Override
        public void show(Summary now) {
            out.println(String.format(
                    Locale.ROOT,
                    "%4ds  paid %d, sent %d, lost %d, late %d, absorbed %d, charged %d, double %d",
                    now.elapsed().toSeconds(),
                    now.payments(),
                    now.requests(),
                    now.answersLost(),
                    now.timeOuts(),
                    now.absorbed(),
                    now.charges(),
                    now.doubleCharges()));
        }

        @Override
        public void end(Summary last) {
            show(last);
        }
    }
}
