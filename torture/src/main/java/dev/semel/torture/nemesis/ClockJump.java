package dev.semel.torture.nemesis;

import dev.semel.torture.cast.Gateway;
import dev.semel.torture.cast.WallClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/** The wall clock of a gateway jumps, ahead or back, and returns later. */
record ClockJump(Gateway gateway, WallClock clock, Duration farthest) implements Fault {
    @Override
    public String target() {
        return gateway.name();
    }

    @Override
    public void strike(Random luck) throws IOException {
        long seconds = 1 + luck.nextLong(farthest.toSeconds());
        clock.move(Duration.ofSeconds(luck.nextBoolean() ? seconds : -seconds));
    }

    @Override
    public void mend() throws IOException {
        clock.move(Duration.ZERO);
    }
}
