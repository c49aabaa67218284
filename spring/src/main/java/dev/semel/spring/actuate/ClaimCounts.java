package dev.semel.spring.actuate;

import dev.semel.core.claim.Claim;
import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How claims were answered here since the start. For use by any thread. */
final class ClaimCounts implements SemelListener {
    private final LongAdder granted = new LongAdder();
    private final LongAdder replayed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder doubts = new LongAdder();

    @Override
    public void on(SemelEvent event) {
        if (event instanceof SemelEvent.FellIntoDoubt) doubts.increment();
        if (event instanceof SemelEvent.Claimed claimed)
            (switch (claimed.answer()) {
                        case Claim.Granted it -> granted;
                        case Claim.AlreadyDone it -> replayed;
                        default -> refused;
                    })
                    .increment();
    }

    Map<String, Long> sums() {
        Map<String, Long> sums = new LinkedHashMap<>();
        sums.put("granted", granted.sum());
        sums.put("replayed", replayed.sum());
        sums.put("refused", refused.sum());
        sums.put("doubtsBegun", doubts.sum());
        return sums;
    }
}
