package dev.semel.torture.nemesis;

import dev.semel.torture.cast.Mortal;
import dev.semel.torture.cast.Tracer;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The disk answers syncs with an error. Whoever was told so is started again afterwards, as an operator would. */
final class SyncError implements Fault {
    private final Mortal keeper;
    private final Supplier<List<Long>> pids;
    private @Nullable Tracer tracer;

    SyncError(Mortal keeper, Supplier<List<Long>> pids) {
        this.keeper = keeper;
        this.pids = pids;
    }

    @Override
    public String target() {
        return keeper.name();
    }

    @Override
    public void strike(Random luck) throws IOException {
        tracer = Tracer.failingSyncs(pids.get());
    }

    @Override
    public void mend() throws IOException, InterruptedException {
        if (tracer != null) tracer.close();
        tracer = null;
        keeper.kill();
        keeper.start();
    }
}
