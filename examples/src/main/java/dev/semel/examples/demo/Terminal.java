package dev.semel.examples.demo;

import java.io.Console;
import org.jspecify.annotations.Nullable;

/** Whether somebody looks at the output, and the few control sequences that are needed then. */
final class Terminal {
    static final String OTHER_SCREEN = "\033[?1049h\033[2J";
    static final String FIRST_SCREEN = "\033[?1049l";
    static final String HIDE_CURSOR = "\033[?25l";
    static final String SHOW_CURSOR = "\033[?25h";
    static final String DO_NOT_WRAP = "\033[?7l";
    static final String WRAP_AGAIN = "\033[?7h";
    static final String CLEAR_REST_OF_LINE = "\033[K";

    private Terminal() {}

    /** Goes to the beginning of a line, counted from 1. */
    static String line(int number) {
        return "\033[" + number + ";1H";
    }

    static boolean isThere() {
        String term = System.getenv("TERM");
        return term != null && !term.equals("dumb") && isTerminal(System.console());
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

    static boolean wantsColours() {
        return System.getenv("NO_COLOR") == null;
    }
}
