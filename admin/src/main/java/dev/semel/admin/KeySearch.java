package dev.semel.admin;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.Seen;
import dev.semel.http.Headers;
import dev.semel.http.IdempotencyKey;
import dev.semel.http.KeyReading;
import dev.semel.http.ServiceNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds a key by the client's word for it, however it ended. Where the operation is not named, looks under those that are
 * known, then among all keys that run or are in doubt, which are what an operator is here for, then among all others:
 * an operation may be of a route that is no longer configured, or the path of each request.
 */
final class KeySearch {
    private static final int PAGE = 1000;
    private static final int MOST_PAGES = 50;
    private static final int MOST_CANDIDATES = 20;
    private static final Set<KeyState.Kind> UNSETTLED = EnumSet.of(KeyState.Kind.HELD, KeyState.Kind.IN_DOUBT);
    private static final Set<KeyState.Kind> SETTLED = EnumSet.complementOf(EnumSet.copyOf(UNSETTLED));

    /** No store finds a key by the client's word alone, so a large one is not looked through to its end. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The same when there is an answer already, which may not be the only one. */
    private static final Duration LESS_PATIENCE = Duration.ofSeconds(1);

    private final KeyStore store;
    private final Supplier<List<String>> operations;

    /** @param operations those that are known now */
    KeySearch(KeyStore store, Supplier<List<String>> operations) {
        this.store = store;
        this.operations = operations;
    }

    sealed interface Found {
        /** @param record as it counts now */
        record One(KeyRecord record, Instant now) implements Found {}

        record Several(List<KeyId> candidates) implements Found {}

        /** @param advice what to do about it */
        record None(String advice) implements Found {}
    }

    /** Which keys are looked for; null for any operation or tenant. */
    private record Query(
            String key,
            @Nullable String operation,
            @Nullable String tenant) {
        boolean isFor(KeyId id) {
            return id.key().equals(key) && (operation == null || id.operation().equals(operation));
        }
    }

    /**
     * @param key as the client sent it: quoted or bare, it is the same
     * @param asked the operation, of requests or of the service API; null for any
     */
    Found find(String key, @Nullable String asked, @Nullable String tenant) {
        String operation = asked == null ? null : ServiceNames.asked(asked);
        Found found = find(new Query(key, operation, tenant));
        String bare = bare(key);
        return found instanceof Found.None && !bare.equals(key) ? find(new Query(bare, operation, tenant)) : found;
    }

    /** Quotes that are part of a key come from the service API. */
    private static String bare(String key) {
        if (!key.startsWith("\"")) return key;
        Headers sent = Headers.NONE.with(IdempotencyKey.HEADER, key);
        return IdempotencyKey.read(sent, IdempotencyKey.HEADER) instanceof KeyReading.Present it ? it.key() : key;
    }

    private Found find(Query query) {
        Map<KeyId, Found.One> found = new LinkedHashMap<>();
        String named = query.operation();
        String owner = query.tenant() == null ? "" : query.tenant();
        look(
                (named == null ? operations.get() : List.of(named))
                        .stream()
                                .map(each -> KeyId.of(owner, each, query.key()))
                                .toList(),
                found);
        boolean exact = named != null && (query.tenant() != null || !found.isEmpty());
        boolean whole = exact;
        if (!exact) {
            look(unsettled(query), found);
            whole = walk(query, SETTLED, found.isEmpty() ? PATIENCE : LESS_PATIENCE, found);
        }
        return switch (found.size()) {
            case 0 -> new Found.None(advice(query, whole));
            case 1 -> found.values().iterator().next();
            default -> new Found.Several(List.copyOf(found.keySet()));
        };
    }

    private void look(Collection<KeyId> ids, Map<KeyId, Found.One> found) {
        if (ids.isEmpty()) return;
        for (Seen seen : store.findAll(ids)) {
            KeyRecord record = seen.record().asOf(seen.now());
            if (record != null) found.put(record.id(), new Found.One(record, seen.now()));
        }
    }

    private List<KeyId> unsettled(Query query) {
        List<KeyId> ids = new ArrayList<>();
        if (!KeyPages.canBeListed(store)) return ids;
        String next = null;
        for (int page = 0; page < MOST_PAGES; page++) {
            Listing.Page lines = KeyPages.page(store, new Listing(query.tenant(), UNSETTLED, PAGE, next));
            for (Listing.Line line : lines.lines()) if (query.isFor(line.id())) ids.add(line.id());
            next = lines.next();
            if (next == null) break;
        }
        return ids;
    }

    /** @return whether all there is was looked through */
    private boolean walk(Query query, Set<KeyState.Kind> kinds, Duration patience, Map<KeyId, Found.One> found) {
        if (!KeyPages.canBeListed(store)) return false;
        long began = System.nanoTime();
        String next = null;
        do {
            if (System.nanoTime() - began > patience.toNanos()) return false;
            Listing.Page page = KeyPages.page(store, new Listing(query.tenant(), kinds, PAGE, next));
            look(
                    page.lines().stream()
                            .map(Listing.Line::id)
                            .filter(query::isFor)
                            .toList(),
                    found);
            next = page.next();
        } while (next != null && found.size() < MOST_CANDIDATES);
        return next == null;
    }

    private String advice(Query query, boolean whole) {
        String tenant = query.tenant() == null ? ", and the tenant where there are several." : ".";
        if (!whole && !KeyPages.canBeListed(store))
            return "It was looked for under the names that are known, for this store cannot list keys. Name the"
                    + " operation, such as POST /v1/charges" + tenant;
        if (!whole)
            return "It was not found in the time there is: the store has too many keys to look through all of them."
                    + " Name the operation, such as POST /v1/charges" + tenant;
        if (query.operation() == null)
            return (query.tenant() == null ? "No operation has this key" : "No operation of this tenant has this key")
                    + ": it never arrived, or it was so long ago that it is forgotten.";
        return "This operation has no such key: it never arrived, or it was so long ago that it is forgotten."
                + (query.tenant() == null ? " Where there are several tenants, name the tenant too." : "");
    }
}
