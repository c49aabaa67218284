package dev.semel.spring.actuate;

import dev.semel.core.Semel;
import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What is known of the engine now. Shows nothing of how the store is reached. */
record EngineStatus(Semel semel, KeyStore store) {
    private static final KeyId NOBODYS = KeyId.reserved("", "health", "look");

    /** @throws StoreException when the store does not answer */
    Map<String, Object> look() {
        semel.store().find(NOBODYS);
        return now();
    }

    /** Does not ask the store. */
    Map<String, Object> now() {
        Map<String, Object> now = new LinkedHashMap<>();
        now.put("store", store.getClass().getSimpleName());
        now.put("survives", word(store.traits().survives()));
        now.put("inFlight", semel.heldHere());
        now.put("waiting", semel.waitingHere());
        return now;
    }

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
