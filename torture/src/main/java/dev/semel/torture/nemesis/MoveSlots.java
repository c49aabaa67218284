package dev.semel.torture.nemesis;

import dev.semel.torture.system.HostedServer;
import java.io.IOException;
import java.util.Random;

/** Some slots of a cluster go from one master to another, with all that is in them, and stay there. */
record MoveSlots(HostedServer shard) implements Fault {
    @Override
    public String target() {
        return shard.name();
    }

    @Override
    public void inject(Random random) throws IOException {
        shard.moveSlots();
    }

    @Override
    public void heal() {}
}
