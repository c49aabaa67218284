package dev.semel.torture.system;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Makes system calls of processes fail, by strace. */
public final class SyscallInjector {
    private static final long TERMINATION_SECONDS = 5;

    private final Process process;

    private SyscallInjector(Process process) {
        this.process = process;
    }

    /** Every sync of these processes fails with an I/O error from now on. */
    public static SyscallInjector failSyncs(List<Long> pids) throws IOException {
        List<String> command = new ArrayList<>(List.of("strace", "-f", "-qq", "-o", "/dev/null"));
        command.addAll(List.of("-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO"));
        for (long pid : pids) command.addAll(List.of("-p", Long.toString(pid)));
        return new SyscallInjector(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** Lets go of the processes. */
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(TERMINATION_SECONDS, TimeUnit.SECONDS))
            process.destroyForcibly().waitFor();
    }
}
