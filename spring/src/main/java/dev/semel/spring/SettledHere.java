package dev.semel.spring;

import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.KeyId;
import org.jspecify.annotations.Nullable;

/** The key whose outcome this thread has recorded LAST. Tells a failure that is an outcome from one that is none. */
final class SettledHere implements SemelListener {
    private static final ThreadLocal<@Nullable KeyId> LAST = new ThreadLocal<>();

    @Override
    public void on(SemelEvent event) {
        if (event instanceof SemelEvent.LeaseSettled it && it.result() instanceof Settlement.Accepted)
            LAST.set(it.id());
    }

    void forget() {
        LAST.remove();
    }

    boolean recorded(KeyId id) {
        return id.equals(LAST.get());
    }
}
