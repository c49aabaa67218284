package dev.semel.torture.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Ends what a run has started and removes its folder, when it is closed, or when the process of the run is gone, however
 * it went: it is a process of its own that waits for that. What there is to do stands in files, one for each thing.
 */
public final class RunCleanup implements AutoCloseable {
    private static final String SCRIPT = """
        trap '' INT TERM HUP
        cat >/dev/null
        for action in "$1"/*; do [ -e "$action" ] && sh "$action"; done
        rm -rf "$2"
        """;

    private final Path actions;
    private final Process process;

    private RunCleanup(Path actions, Process process) {
        this.actions = actions;
        this.process = process;
    }

    /** @param folder goes with the run, with all that is in it */
    public static RunCleanup of(Path folder) throws IOException {
        Path actions = Files.createDirectories(folder.resolve("cleanup"));
        Process process = new ProcessBuilder(
                        "sh", "-c", SCRIPT, "semel-torture-cleanup", actions.toString(), folder.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new RunCleanup(actions, process);
    }

    void killAtEnd(long pid) {
        addAction("1-process-" + pid, "kill -KILL " + pid + "; rm -f " + String.join(" ", WallClock.leftBy(pid)));
    }

    /** For one that starts others, at any moment: it is stopped first, so that it starts no more. */
    void killWithChildrenAtEnd(long pid) {
        addAction(
                "1-process-" + pid,
                "kill -STOP " + pid + "; kill -KILL $(cat /proc/" + pid + "/task/*/children) " + pid);
    }

    /** It has ended, and its number may belong to another soon. */
    void forget(long pid) {
        removeAction("1-process-" + pid);
    }

    void unmountAtEnd(Path mount) {
        addAction("2-" + mount.getFileName(), "umount '" + mount + "' || { sleep 1; umount -l '" + mount + "'; }");
    }

    private void addAction(String name, String command) {
        try {
            Files.writeString(actions.resolve(name), command + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void removeAction(String name) {
        try {
            Files.deleteIfExists(actions.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything is gone when this returns. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
