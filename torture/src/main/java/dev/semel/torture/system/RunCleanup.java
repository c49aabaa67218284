package dev.semel.torture.cast;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Ends what a run has started and removes its folder, when it is closed, or when the process of the run is gone, however
 * it went: it is a process of its own that waits for that. What there is to do stands in files, one for each thing.
 */
public final class Undertaker implements AutoCloseable {
    private static final String SCRIPT = """
        trap '' INT TERM HUP
        cat >/dev/null
        for will in "$1"/*; do [ -e "$will" ] && sh "$will"; done
        rm -rf "$2"
        """;

    private final Path wills;
    private final Process process;

    private Undertaker(Path wills, Process process) {
        this.wills = wills;
        this.process = process;
    }

    /** @param folder goes with the run, with all that is in it */
    public static Undertaker of(Path folder) throws IOException {
        Path wills = Files.createDirectories(folder.resolve("wills"));
        Process process = new ProcessBuilder("sh", "-c", SCRIPT, "undertaker", wills.toString(), folder.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new Undertaker(wills, process);
    }

    void seesTo(long pid) {
        will("1-process-" + pid, "kill -KILL " + pid + "; rm -f " + String.join(" ", WallClock.leftBy(pid)));
    }

    /** It has ended, and its number may belong to another soon. */
    void forgets(long pid) {
        forget("1-process-" + pid);
    }

    void seesTo(Path mount) {
        will("2-" + mount.getFileName(), "umount '" + mount + "' || { sleep 1; umount -l '" + mount + "'; }");
    }

    private void will(String name, String command) {
        try {
            Files.writeString(wills.resolve(name), command + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void forget(String name) {
        try {
            Files.deleteIfExists(wills.resolve(name));
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
