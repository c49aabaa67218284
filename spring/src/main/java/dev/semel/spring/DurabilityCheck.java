package dev.semel.spring;

import dev.semel.core.Semel;
import dev.semel.core.key.Guarantee;
import dev.semel.core.store.StoreTraits.Survives;
import java.util.List;

/** Whether the store can keep what {@link Once} promises. Where it cannot, the application does not start. */
final class DurabilityCheck {
    private final Semel semel;
    private final SemelProperties settings;
    private final List<OnceDeclarations> declarations;

    DurabilityCheck(Semel semel, SemelProperties settings, List<OnceDeclarations> declarations) {
        this.semel = semel;
        this.settings = settings;
        this.declarations = declarations;
    }

    /** @throws OnceMisuseException when it cannot */
    void check() {
        Survives survives = semel.store().traits().survives();
        if (settings.acceptLostKeys() || survives.compareTo(Survives.POWER_LOSS) >= 0) return;
        // Whoever writes durability=os has said it in so many words.
        String store = settings.store();
        if (survives == Survives.PROCESS_DEATH && store != null && store.startsWith("rocksdb:")) return;
        for (OnceDeclarations each : declarations)
            for (OnceDeclaration it : each.all())
                if (it.policy().guarantee() == Guarantee.AT_MOST_ONCE)
                    throw new OnceMisuseException("@Once on " + it.method()
                            + " promises at-most-once, and the store cannot keep that: it may lose keys when "
                            + (survives == Survives.NOTHING ? "a process dies" : "the power fails")
                            + ", and what is forgotten runs again. Use a store that keeps what it has answered, or set"
                            + " semel.accept-lost-keys=true if operations may run twice then.");
    }
}
