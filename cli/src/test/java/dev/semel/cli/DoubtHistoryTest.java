package dev.semel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.semel.admin.JsonTree;
import org.junit.jupiter.api.Test;

/** What the demo counts as a doubt, read from what the admin API tells about a key. */
class DoubtHistoryTest {
    private static final String BEGUN = "{\"by\":\"a-1\",\"what\":\"in doubt: Connection was closed\"}";

    @Test
    void a_key_that_was_never_in_doubt_counts_as_nothing() {
        assertEquals(new DoubtHistory(false, false, false, true), story("done", ""));
        assertEquals(new DoubtHistory(false, false, false, false), story("in-progress", ""));
        assertEquals(DoubtHistory.UNKNOWN, DoubtHistory.of(JsonTree.readObject("{\"status\":404}".getBytes(UTF_8))));
    }

    @Test
    void a_silent_holder_is_a_doubt_before_its_history_says_so() {
        assertEquals(new DoubtHistory(true, true, false, false), story("in-doubt", ""));
    }

    @Test
    void a_doubt_ends_by_a_probe_or_otherwise() {
        String probed = "{\"by\":\"probe 1\",\"what\":\"it did happen\"}";
        String said = "{\"by\":\"ops\",\"what\":\"it did happen: seen in the ledger\"}";
        String asked = "{\"by\":\"probe 1\",\"what\":\"still unknown: 500\"}";
        assertEquals(new DoubtHistory(true, false, true, true), story("done", BEGUN + "," + probed));
        assertEquals(new DoubtHistory(true, false, false, true), story("done", BEGUN + "," + said));
        assertEquals(new DoubtHistory(true, true, false, false), story("in-doubt", BEGUN + "," + asked));
    }

    private static DoubtHistory story(String state, String history) {
        String json = "{\"state\":\"%s\",\"history\":[%s]}".formatted(state, history);
        return DoubtHistory.of(JsonTree.readObject(json.getBytes(UTF_8)));
    }
}
