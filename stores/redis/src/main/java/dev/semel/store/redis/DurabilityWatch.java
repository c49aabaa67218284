package dev.semel.store.redis;

import dev.semel.core.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Settings can be changed while the store is open, and a replica can be attached. What a store promises stays as it was said at
 * its opening, so what is weaker since then is told: once, by the sweep. For one thread at a time.
 */
final class DurabilityWatch {
    private final RedisDurability atOpening;
    private final Supplier<RedisDurability> now;
    private List<String> told;

    DurabilityWatch(RedisDurability atOpening, Supplier<RedisDurability> now) {
        this.atOpening = atOpening;
        this.now = now;
        this.told = atOpening.losses();
    }

    /** @throws StoreException when something can be lost by what could not lose it before */
    void check() {
        if (atOpening.lossAccepted()) return;
        List<String> losses = now.get().losses();
        List<String> news = new ArrayList<>(losses);
        news.removeAll(told);
        told = losses;
        if (!news.isEmpty())
            throw StoreException.notApplied(
                    "Redis keeps acknowledged writes less safely than when the store was opened. "
                            + String.join(" ", news),
                    null);
    }
}
