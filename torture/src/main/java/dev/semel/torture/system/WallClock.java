package dev.semel.torture.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The time of day as one process sees it, by libfaketime. Only the clock on the wall can be moved: how time passes since
 * the machine was started stays true, as it does when somebody sets the clock of a real machine.
 */
public final class WallClock {
    private static final List<String> PLACES = List.of(
            "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
            "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
            "/usr/lib/faketime/libfaketime.so.1",
            "/usr/lib64/faketime/libfaketime.so.1");

    private final Path file;

    public WallClock(Path file) throws IOException {
        this.file = file;
        move(Duration.ZERO);
    }

    public static boolean isAvailable() {
        return PLACES.stream().anyMatch(place -> Files.exists(Path.of(place)));
    }

    Map<String, String> variables() {
        String library = PLACES.stream()
                .filter(place -> Files.exists(Path.of(place)))
                .findFirst()
                .orElseThrow();
        return Map.of(
                "LD_PRELOAD", library,
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_CACHE_DURATION", "1",
                // What it shares between processes costs more than all the rest, and stays when one is killed.
                "FAKETIME_DISABLE_SHM", "1",
                // Else it mistakes the waits of a JVM for waits by the wall clock, and they spin.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0",
                "DONT_FAKE_MONOTONIC", "1");
    }

    /** What a process that was killed leaves in the memory of the system. */
    static List<String> leftBy(long pid) {
        return List.of("/dev/shm/faketime_shm_" + pid, "/dev/shm/sem.faketime_sem_" + pid);
    }

    /** Seen by the process within a second. Zero is the true time. */
    public void move(Duration offset) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.writeString(next, "%+d\n".formatted(offset.toSeconds()));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
