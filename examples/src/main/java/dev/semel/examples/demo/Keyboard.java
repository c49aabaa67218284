package dev.semel.examples.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads single keys from the terminal, without Enter and without showing them. Ctrl-C works as ever. When it is closed, or
 * the process ends, the terminal is as it was.
 */
public final class Keyboard implements AutoCloseable {
    private static final Path TERMINAL = Path.of("/dev/tty");

    private final @Nullable String before;

    private Keyboard(@Nullable String before) {
        this.before = before;
    }

    /** Where the terminal cannot be set up, no key is ever read. */
    public static Keyboard into(Queue<Character> keys) {
        Keyboard keyboard = new Keyboard(stty("-g"));
        if (keyboard.before == null || stty("-icanon", "-echo", "min", "1", "time", "0") == null) return keyboard;
        CtrlC.onExit(keyboard::restore);
        Thread.ofPlatform().daemon().name("keyboard").start(() -> read(keys));
        return keyboard;
    }

    private static void read(Queue<Character> keys) {
        try (InputStream in = new FileInputStream(TERMINAL.toFile())) {
            for (int key; (key = in.read()) >= 0; ) keys.add(Character.toLowerCase((char) key));
        } catch (IOException gone) {
            // Nobody can press a key any more.
        }
    }

    private void restore() {
        if (before != null) stty(before);
    }

    /** @return what it printed; null when there is no such program or no terminal */
    private static @Nullable String stty(String... arguments) {
        if (!Files.isReadable(TERMINAL)) return null;
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(TERMINAL.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String printed = new String(process.getInputStream().readAllBytes(), US_ASCII);
            return process.waitFor() == 0 ? printed.strip() : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    @Override
    public void close() {
        restore();
    }
}
