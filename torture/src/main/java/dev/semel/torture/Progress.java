package dev.semel.torture;

import java.io.Console;
import java.io.PrintStream;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One line that is redrawn where somebody looks, and a line now and then where nobody does. */
public final class Progress {
    private static final long REDRAW_MILLIS = 500;
    private static final int REDRAWS_PER_LINE = 20;

    private final PrintStream out;
    private final Supplier<String> line;
    private final boolean redraws = isTerminal(System.console());
    private final Thread painter;

    /** @param line what there is to say now; asked by a thread of its own */
    public Progress(PrintStream out, Supplier<String> line) {
        this.out = out;
        this.line = line;
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
        if (redraws) out.print("\r" + line.get() + "\033[K");
        else out.println(line.get());
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
    public void finish() throws InterruptedException {
        painter.interrupt();
        painter.join();
        draw();
        if (redraws) out.println();
    }
}
