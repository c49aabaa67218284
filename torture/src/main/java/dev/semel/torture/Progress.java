package dev.semel.torture;

import java.io.Console;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One line that is redrawn where somebody looks, and a line now and then where nobody does. */
final class Progress {
    private static final long REDRAW_MILLIS = 500;
    private static final int REDRAWS_PER_LINE = 20;

    private final PrintStream out;
    private final int all;
    private final AtomicInteger done;
    private final Violations violations;
    private final boolean redraws = isTerminal(System.console());
    private final long began = System.nanoTime();
    private final Thread painter;

    Progress(PrintStream out, int all, AtomicInteger done, Violations violations) {
        this.out = out;
        this.all = all;
        this.done = done;
        this.violations = violations;
        this.painter = Thread.ofPlatform().daemon().name("progress").start(this::paint);
    }

    private void paint() {
        try {
            for (int i = 1; ; i++) {
                Thread.sleep(REDRAW_MILLIS);
                if (redraws || i % REDRAWS_PER_LINE == 0) draw();
            }
        } catch (InterruptedException finished) {
            // The last line is drawn by whoever ends this.
        }
    }

    private void draw() {
        double seconds = (System.nanoTime() - began) / 1e9;
        int count = Math.min(all, done.get());
        String line = String.format(
                Locale.ROOT,
                "%,d of %,d requests  %,.0f/s  %d violations",
                count,
                all,
                count / seconds,
                violations.count());
        if (redraws) out.print("\r" + line + "\033[K");
        else out.println(line);
    }

    /** Since JDK 22 there can be a console without a terminal, and a method that tells. */
    private static boolean isTerminal(@Nullable Console console) {
        if (console == null) return false;
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException olderJdk) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /** Draws it for the last time. */
    void finish() throws InterruptedException {
        painter.interrupt();
        painter.join();
        draw();
        if (redraws) out.println();
    }
}
