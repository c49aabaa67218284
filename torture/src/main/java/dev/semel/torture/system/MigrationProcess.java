package dev.semel.torture.system;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** {@code semel migrate} as a process, as an operator runs it. */
public final class MigrationProcess {
    private MigrationProcess() {}

    /**
     * Runs it once, to its end or to the moment when it is killed.
     *
     * @param gateway the program whose other command it is
     * @param atMost after so long it is killed
     * @return whether it said that everything is in the target
     */
    public static boolean run(
            RunCleanup cleanup, DoorProgram gateway, Path log, String from, String to, Duration atMost)
            throws IOException, InterruptedException {
        List<String> arguments = List.of("migrate", "--from", from, "--to", to);
        ChildProcess child = ChildProcess.start(
                cleanup, ChildProcess.jvm(gateway.jvmOptions(), gateway.mainClass(), arguments), Map.of(), log);
        boolean ended = child.awaitEnd(atMost);
        if (!ended) child.kill();
        return ended && child.exitCode() == 0;
    }
}
