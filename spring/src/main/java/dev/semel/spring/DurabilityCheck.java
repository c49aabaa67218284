package dev.semel.spring;

import dev.semel.core.Semel;
import dev.semel.core.key.Guarantee;
import dev.semel.core.store.StoreTraits.Survives;
import java.util.List;
import java.util.regex.Pattern;

/** Whether the store can keep what {@link Once} promises. Where it cannot, the application does not start. */
final class DurabilityCheck {
    private static final Pattern ACCEPTED = Pattern.compile("[?&]accept-loss=true(&|$)");

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
        String store = settings.store();
        if (store != null && isAccepted(store, survives)) return;
        for (OnceDeclarations each : declarations)
            for (OnceDeclaration it : each.all())
                if (it.policy().guarantee() == Guarantee.AT_MOST_ONCE)
                    throw new OnceMisuseException("@Once on " + it.method()
                            + " promises at-most-once, and the store cannot keep that: "
                            + lost(survives)
                            + " What is forgotten runs again. Use a store that keeps what it has answered, or set"
                            + " semel.accept-lost-keys=true if operations may run twice then.");
    }

    /** Whoever writes durability=os, or accept-loss=true, has said it in so many words. */
    private static boolean isAccepted(String store, Survives survives) {
        return ACCEPTED.matcher(store).find() || (survives == Survives.PROCESS_DEATH && store.startsWith("rocksdb:"));
    }

    private String lost(Survives survives) {
        List<String> losses = semel.store().traits().losses();
        if (!losses.isEmpty()) return "it may lose keys it has answered. " + String.join(" ", losses);
        return "it may lose keys when " + (survives == Survives.NOTHING ? "a process dies." : "the power fails.");
    }
}
