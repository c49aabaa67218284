package dev.semel.bench;

import java.time.Duration;

/**
 * One measurement of one gateway in one round.
 *
 * @param cpu what the gateway's process used meanwhile
 */
record Sample(Result result, Duration cpu) {
    double perSecond() {
        return result.perSecond();
    }

    double cpuMicrosPerRequest() {
        return cpu.toNanos() / 1e3 / result.requests();
    }

    double p50Millis() {
        return result.p50().toNanos() / 1e6;
    }

    double p99Millis() {
        return result.p99().toNanos() / 1e6;
    }
}
