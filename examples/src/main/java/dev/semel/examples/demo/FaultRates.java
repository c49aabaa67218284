package dev.semel.examples.demo;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How bad the network is: the share of requests that meet each {@link NetworkFault}, and how late a late answer is.
 *
 * @param lost share of answers that are lost, from 0 to 1
 * @param late share of answers that come late
 * @param cut share of requests that are cut
 */
record FaultRates(double lost, double late, double cut, Duration lateness) {
    static final FaultRates NONE = new FaultRates(0, 0, 0, Duration.ZERO);
    static final FaultRates ALL_ANSWERS_LOST = new FaultRates(1, 0, 0, Duration.ZERO);

    static FaultRates rough(Duration lateness) {
        return new FaultRates(0.14, 0.06, 0.06, lateness);
    }

    NetworkFault draw(RandomGenerator random) {
        double planned = random.nextDouble();
        if (planned < lost) return NetworkFault.ANSWER_LOST;
        if (planned < lost + late) return NetworkFault.ANSWER_LATE;
        if (planned < lost + late + cut) return NetworkFault.REQUEST_CUT;
        return NetworkFault.NONE;
    }
}
