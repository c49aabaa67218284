package dev.semel.torture.nemesis;

import dev.semel.torture.system.ManagedProcess;
import dev.semel.torture.system.SyscallInjector;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The disk answers syncs with an error. Whoever was told so is started again afterwards, as an operator would. */
final class SyncError implements Fault {
    private final ManagedProcess storeProcess;
    private final Supplier<List<Long>> pids;
    private @Nullable SyscallInjector injector;

    SyncError(ManagedProcess storeProcess, Supplier<List<Long>> pids) {
        this.storeProcess = storeProcess;
        this.pids = pids;
    }

    @Override
    public String target() {
        return storeProcess.name();
    }

    @Override
    public void inject(Random random) throws IOException {
        injector = SyscallInjector.failSyncs(pids.get());
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        if (injector != null) injector.close();
        injector = null;
        storeProcess.kill();
        storeProcess.start();
    }
}
