package dev.semel.torture.cast;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Stands between processes and the system, by strace, and answers in its place. */
public final class Tracer {
    private static final long POLITE_SECONDS = 5;

    private final Process process;

    private Tracer(Process process) {
        this.process = process;
    }

    /** Every sync of these processes fails with an I/O error from now on. */
    public static Tracer failingSyncs(List<Long> pids) throws IOException {
        List<String> command = new ArrayList<>(List.of("strace", "-f", "-qq", "-o", "/dev/null"));
        command.addAll(List.of("-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO"));
        for (long pid : pids) command.addAll(List.of("-p", Long.toString(pid)));
        return new Tracer(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** Lets go of the processes. */
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(POLITE_SECONDS, TimeUnit.SECONDS))
            process.destroyForcibly().waitFor();
    }
}
