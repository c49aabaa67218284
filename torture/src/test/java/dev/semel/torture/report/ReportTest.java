package dev.semel.torture.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.semel.torture.check.Checker;
import dev.semel.torture.history.Event;
import dev.semel.torture.history.History;
import dev.semel.torture.history.Promise;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

class ReportTest {
    private static final String HOSTILE = "</svg><script>alert(\"1\")</script>&\u0001";
    private static final Pattern FROM_ELSEWHERE =
            Pattern.compile("(src|href)=|@import|url\\(|<script|https?://(?!www\\.w3\\.org/2000/svg)");

    @TempDir
    Path folder;

    private String page(History history) throws Exception {
        RunFacts facts = new RunFacts(
                -7,
                "./semel torture --seed -7 " + HOSTILE,
                "memory:" + HOSTILE,
                Instant.EPOCH,
                Duration.ofSeconds(90),
                Map.of("Java", "21 " + HOSTILE),
                Map.of("gateways", "3"));
        Report.write(folder, facts, history, Checker.check(history));
        wellFormed(Files.readString(folder.resolve("timeline.svg")));
        String page = Files.readString(folder.resolve("index.html"));
        String main = page.substring(page.indexOf("<main>"), page.indexOf("</main>") + 7);
        wellFormed(main);
        assertFalse(FROM_ELSEWHERE.matcher(page).find(), "a page must need nothing else, and run nothing");
        return page;
    }

    /** Every element that is opened is closed, and nothing that came from a run is taken for markup. */
    private static void wellFormed(String xml) throws Exception {
        DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml.replace("<details open>", "<details>"))));
    }

    /** The members of report.json that are numbers or texts, by name. */
    private Map<String, String> json() throws Exception {
        Map<String, String> members = new HashMap<>();
        try (JsonParser json =
                new JsonFactory().createParser(folder.resolve("report.json").toFile())) {
            int depth = 0;
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token.isStructStart()) depth++;
                if (token.isStructEnd()) depth--;
                if (depth == 1 && token.isScalarValue()) members.put(json.currentName(), json.getText());
            }
            assertEquals(0, depth);
        }
        return members;
    }

    private static History hostile() {
        History history = new History();
        history.append(new Event.Sent(10, 0, 1, HOSTILE, 1, Promise.AT_MOST_ONCE, HOSTILE));
        history.append(new Event.Effect(20, HOSTILE, 1, 5, 1, true, HOSTILE));
        history.append(new Event.Effect(30, HOSTILE, 1, 6, 2, true, HOSTILE));
        history.append(new Event.Answered(40, 0, 500, HOSTILE, false, HOSTILE));
        history.append(new Event.Sent(41, 1, 1, HOSTILE, 1, Promise.AT_MOST_ONCE, HOSTILE));
        history.append(new Event.Unanswered(45, 1, HOSTILE));
        history.append(new Event.Fault(5, Long.MAX_VALUE, HOSTILE, HOSTILE));
        return history;
    }

    @Test
    void what_a_run_contains_is_never_taken_for_markup() throws Exception {
        String page = page(hostile());
        assertTrue(page.contains("&lt;script&gt;"));
        assertTrue(page.contains("violations</h1>"), page);
        assertEquals("broken", json().get("verdict"));
    }

    @Test
    void a_run_without_violations_says_so() throws Exception {
        History history = new History();
        for (int i = 0; i < 3; i++) {
            history.append(new Event.Sent(1000L * i, 2 * i, 1, "k" + i, 1, Promise.AT_MOST_ONCE, "g"));
            history.append(new Event.Effect(1000L * i + 1, "k" + i, 1, 5, 1, true, "b"));
            history.append(new Event.Answered(1000L * i + 2, 2 * i, 201, "", false, "b"));
            history.append(new Event.Sent(1000L * i + 3, 2 * i + 1, 1, "k" + i, 1, Promise.AT_MOST_ONCE, "g"));
            history.append(new Event.Answered(1000L * i + 4, 2 * i + 1, 201, "", true, "b"));
            history.append(new Event.Settled(9000, "k" + i, 201, "", "b"));
        }
        String page = page(history);
        assertTrue(page.contains("<h1>No violation</h1>"));
        assertFalse(page.contains("<details"));
        Map<String, String> json = json();
        assertEquals("clean", json.get("verdict"));
        assertEquals("6", json.get("operations"));
        assertEquals("3", json.get("effects"));
        assertEquals("3", json.get("duplicatesAbsorbed"));
        assertEquals("-7", json.get("seed"));
        assertNull(json.get("law"), "members of members are not counted here");
    }

    @Test
    void a_run_in_which_nothing_happened_is_no_success() throws Exception {
        String page = page(new History());
        assertTrue(page.contains("Nothing was sent"));
        assertFalse(page.contains("NaN") || page.contains("Infinity"));
        assertEquals("0", json().get("operations"));
    }

    @Test
    void moments_and_spans_are_read_by_people() {
        assertEquals("0:00.000001", Formats.timestamp(1_000));
        assertEquals("2:05.120345", Formats.timestamp(125_120_345_678L));
        assertEquals("1 h 02 min", Formats.duration(Duration.ofMinutes(62)));
        assertEquals("3 min 20 s", Formats.duration(Duration.ofSeconds(200)));
        assertEquals("0.2 s", Formats.duration(Duration.ofMillis(200)));
    }
}
