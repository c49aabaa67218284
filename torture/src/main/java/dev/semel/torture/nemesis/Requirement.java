package dev.semel.torture.nemesis;

import dev.semel.torture.system.WallClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a fault needs. */
public enum Requirement {
    NOTHING,
    GATEWAY_DOOR,
    LIBRARY_DOOR,
    OWN_SERVER,
    CLUSTER,
    FAKETIME,
    STRACE,
    OWN_DISK;

    /** What is missing on this machine, and how to get it; null when nothing is. */
    public @Nullable String missing() {
        return switch (this) {
            case NOTHING, GATEWAY_DOOR, LIBRARY_DOOR, OWN_SERVER, CLUSTER -> null;
            case FAKETIME -> WallClock.isAvailable() ? null : "libfaketime is not installed: scripts/tools.sh faketime";
            case STRACE -> hasProgram("strace") ? null : "strace is not installed: scripts/tools.sh strace";
            case OWN_DISK -> disk();
        };
    }

    private static @Nullable String disk() {
        if (!"root".equals(System.getProperty("user.name"))) return "only root can mount a disk for the store";
        if (!hasProgram("mkfs.ext4")) return "mkfs.ext4 is not installed: scripts/tools.sh mkfs.ext4";
        return hasProgram("xfs_io") ? null : "xfs_io is not installed: scripts/tools.sh xfs_io";
    }

    private static boolean hasProgram(String name) {
        return Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }
}
