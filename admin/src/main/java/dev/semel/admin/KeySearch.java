package dev.semel.admin;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.Seen;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds a key by the client's word for it. Where the operation is not named, looks under those that are known, and among
 * all keys that run or are in doubt: these are what an operator is here for, whatever their operation and tenant.
 */
final class KeySearch {
    private static final int PAGE = 1000;
    private static final int MOST_PAGES = 50;

    private final KeyStore store;
    private final List<String> operations;

    KeySearch(KeyStore store, List<String> operations) {
        this.store = store;
        this.operations = List.copyOf(operations);
    }

    sealed interface Found {
        /** @param record as it counts now */
        record One(KeyRecord record, Instant now) implements Found {}

        record Several(List<KeyId> candidates) implements Found {}

        /** @param advice what to do about it */
        record None(String advice) implements Found {}
    }

    Found find(String key, @Nullable String operation, @Nullable String tenant) {
        Map<KeyId, Found.One> found = new LinkedHashMap<>();
        List<String> named = operation == null ? operations : List.of(operation);
        String owner = tenant == null ? "" : tenant;
        look(named.stream().map(each -> KeyId.of(owner, each, key)).toList(), found);
        boolean exact = operation != null && (tenant != null || !found.isEmpty());
        if (!exact) look(unsettled(key, operation, tenant), found);
        return switch (found.size()) {
            case 0 -> new Found.None(advice(operation, tenant));
            case 1 -> found.values().iterator().next();
            default -> new Found.Several(List.copyOf(found.keySet()));
        };
    }

    private void look(List<KeyId> ids, Map<KeyId, Found.One> found) {
        if (ids.isEmpty()) return;
        for (Seen seen : store.findAll(ids)) {
            KeyRecord record = seen.record().asOf(seen.now());
            if (record != null) found.put(record.id(), new Found.One(record, seen.now()));
        }
    }

    private List<KeyId> unsettled(String key, @Nullable String operation, @Nullable String tenant) {
        Set<KeyState.Kind> kinds = EnumSet.of(KeyState.Kind.HELD, KeyState.Kind.IN_DOUBT);
        List<KeyId> ids = new ArrayList<>();
        String next = null;
        for (int page = 0; page < MOST_PAGES; page++) {
            Listing.Page lines = store.list(new Listing(tenant, kinds, PAGE, next));
            for (Listing.Line line : lines.lines()) {
                KeyId id = line.id();
                if (id.key().equals(key) && (operation == null || id.operation().equals(operation))) ids.add(id);
            }
            next = lines.next();
            if (next == null) break;
        }
        return ids;
    }

    private static String advice(@Nullable String operation, @Nullable String tenant) {
        if (operation == null)
            return "No such key is in progress or in doubt, nor known under an operation of the configured routes. It"
                    + " may be there under another one: name the operation, such as POST /v1/charges"
                    + (tenant == null ? ", and the tenant where there are several." : ".");
        return "This operation has no such key: it never arrived, or it was long ago."
                + (tenant == null ? " Where there are several tenants, name the tenant too." : "");
    }
}
