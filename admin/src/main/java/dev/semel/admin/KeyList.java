package dev.semel.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.Seen;
import dev.semel.http.HttpResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code GET /admin/v1/keys}: one page of keys, by state. */
final class KeyList {
    static final Set<String> NAMES = Set.of("state", "tenant", "limit", "after");

    private static final String UNSETTLED = StateWord.IN_DOUBT + "," + StateWord.IN_PROGRESS;
    private static final String USUAL_LIMIT = "100";

    private final KeyStore store;

    KeyList(KeyStore store) {
        this.store = store;
    }

    private record Entry(Listing.Line line, String state) {}

    HttpResponse page(Query query) {
        Set<String> words = Set.of(query.get("state", UNSETTLED).split(",", -1));
        Set<KeyState.Kind> kinds = EnumSet.noneOf(KeyState.Kind.class);
        words.forEach(word -> kinds.addAll(StateWord.kindsOf(word)));
        int limit = limit(query.get("limit", USUAL_LIMIT));
        List<Entry> entries = new ArrayList<>();
        String next = query.get("after");
        do {
            Listing.Page page =
                    KeyPages.page(store, new Listing(query.get("tenant"), kinds, limit - entries.size(), next));
            entries.addAll(wanted(page.lines(), words));
            next = page.next();
        } while (next != null && entries.size() < limit);
        String cursor = next;
        return JsonAnswer.ok(out -> write(entries, cursor, out));
    }

    private static int limit(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the limit is a number from 1 to 1000", e);
        }
    }

    /** A line does not tell how long its lease runs, so those of holders are looked at again. */
    private List<Entry> wanted(List<Listing.Line> lines, Set<String> words) {
        List<KeyId> held = lines.stream()
                .filter(line -> line.kind() == KeyState.Kind.HELD)
                .map(Listing.Line::id)
                .toList();
        Map<KeyId, Seen> now = new HashMap<>();
        if (!held.isEmpty())
            for (Seen seen : store.findAll(held)) now.put(seen.record().id(), seen);
        return lines.stream()
                .map(line -> new Entry(line, word(line, now.get(line.id()))))
                .filter(entry -> words.contains(entry.state()))
                .toList();
    }

    /** What has moved on since it was listed is told as it was listed. */
    private static String word(Listing.Line line, @Nullable Seen seen) {
        return seen != null && seen.record().state() instanceof KeyState.Held held
                ? StateWord.of(held, seen.now())
                : StateWord.of(line.kind());
    }

    private static void write(List<Entry> entries, @Nullable String next, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("keys");
        for (Entry entry : entries) {
            out.writeStartObject();
            KeyStory.writeId(entry.line().id(), out);
            out.writeStringField("state", entry.state());
            out.writeNumberField("token", entry.line().token());
            out.writeNumberField("attempt", entry.line().attempt());
            out.writeStringField("since", entry.line().since().toString());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeStringField("next", next);
    }
}
