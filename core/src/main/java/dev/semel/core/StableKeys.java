package dev.semel.core;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.StableId;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Keys that are derived from others: the same in every run and in every process. */
final class StableKeys {
    /** The namespace of all keys that are derived here; never changes, or retries would get other keys. */
    private static final UUID NAMESPACE = UUID.fromString("5e3e1000-0000-4000-8000-000000000001");

    private StableKeys() {}

    static String of(KeyId id, String name) {
        byte[] whole =
                (id.tenant() + '\0' + id.operation() + '\0' + id.key() + '\0' + name).getBytes(StandardCharsets.UTF_8);
        return StableId.ofName(NAMESPACE, whole).toString();
    }
}
