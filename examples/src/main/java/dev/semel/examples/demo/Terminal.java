package dev.semel.examples.demo;

import java.io.Console;
import org.jspecify.annotations.Nullable;

/** Whether somebody looks at the output, and the few control sequences that are needed then. */
public final class Terminal {
    public static final String OTHER_SCREEN = "\033[?1049h\033[2J";
    public static final String FIRST_SCREEN = "\033[?1049l";
    public static final String HIDE_CURSOR = "\033[?25l";
    public static final String SHOW_CURSOR = "\033[?25h";
    public static final String DO_NOT_WRAP = "\033[?7l";
    public static final String WRAP_AGAIN = "\033[?7h";
    public static final String CLEAR_REST_OF_LINE = "\033[K";

    private Terminal() {}

    /** Goes to the beginning of a line, counted from 1. */
    public static String line(int number) {
        return "\033[" + number + ";1H";
    }

    public static boolean isThere() {
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

    public static boolean wantsColours() {
        return System.getenv("NO_COLOR") == null;
    }
}
