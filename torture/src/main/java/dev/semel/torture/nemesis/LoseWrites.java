package dev.semel.torture.nemesis;

import dev.semel.torture.system.HostedServer;
import java.io.IOException;
import java.util.Random;

/** A replica no longer copies its master, which goes on acknowledging, dies, and is followed by that replica. */
record LoseWrites(HostedServer shard) implements Fault {
    @Override
    public String target() {
        return shard.name();
    }

    @Override
    public void inject(Random random) throws IOException {
        shard.leaveReplicaBehind();
    }

    @Override
    public void heal() throws IOException {
        shard.failOver();
        shard.start();
    }
}
