package dev.semel.torture.nemesis;

import dev.semel.torture.system.ManagedProcess;
import dev.semel.torture.system.WallClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/** The wall clock of a process jumps, ahead or back, and returns later. */
record ClockJump(ManagedProcess process, WallClock clock, Duration farthest) implements Fault {
    @Override
    public String target() {
        return process.name();
    }

    @Override
    public void inject(Random random) throws IOException {
        long seconds = 1 + random.nextLong(farthest.toSeconds());
        clock.move(Duration.ofSeconds(random.nextBoolean() ? seconds : -seconds));
    }

    @Override
    public void heal() throws IOException {
        clock.move(Duration.ZERO);
    }
}
