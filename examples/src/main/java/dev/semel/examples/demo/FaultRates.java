package dev.semel.examples.demo;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How bad the network is: the share of requests that meet each {@link Fate}, and how late a late answer is.
 *
 * @param lost share of answers that are lost, from 0 to 1
 * @param late share of answers that come late
 * @param cut share of requests that are cut
 */
record Weather(double lost, double late, double cut, Duration lateness) {
    static final Weather CALM = new Weather(0, 0, 0, Duration.ZERO);
    static final Weather NO_ANSWERS = new Weather(1, 0, 0, Duration.ZERO);

    static Weather storm(Duration lateness) {
        return new Weather(0.14, 0.06, 0.06, lateness);
    }

    Fate draw(RandomGenerator random) {
        double chance = random.nextDouble();
        if (chance < lost) return Fate.ANSWER_LOST;
        if (chance < lost + late) return Fate.ANSWER_LATE;
        if (chance < lost + late + cut) return Fate.REQUEST_CUT;
        return Fate.PASSES;
    }
}
