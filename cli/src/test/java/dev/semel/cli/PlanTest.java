package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.semel.cli.SemelProcess.Ended;
import dev.semel.cli.plan.MeasuredBytes;
import dev.semel.core.store.DeclaredTraits;
import dev.semel.gateway.StoreUrls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code semel plan} as users run it, and the figures that it comes with. */
class PlanTest {
    private static final Path ROOT = Path.of(System.getProperty("semel.root", ".."));
    private static final boolean APPLY = "apply".equals(System.getProperty("semel.tables"));
    private static final String BEGIN =
            "<!-- bytes: written from what 'semel bench storage' has measured, by PlanTest in cli -->\n";
    private static final String END = "<!-- bytes: end -->";
    private static final String EXAMPLE = "<!-- example: written by PlanTest -->\n";
    private static final String EXAMPLE_END = "<!-- example: end -->";
    private static final String[] OF_THE_ARTICLES = {"plan", "--tps", "10000", "--retention", "24h", "--body", "200"};

    @TempDir
    Path folder;

    private static Ended plan(String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of(OF_THE_ARTICLES));
        all.addAll(List.of(more));
        return SemelShell.run(all.toArray(String[]::new));
    }

    @Test
    void the_example_of_the_articles_is_told_beside_their_estimate_in_a_hundred_columns() throws IOException {
        Ended ended = plan();
        assertEquals(0, ended.code(), ended.err());
        assertTrue(ended.out().contains("864 M outcomes"), ended.out());
        assertTrue(
                ended.out()
                        .lines()
                        .anyMatch(it -> it.startsWith("(estimate)") && it.contains("9.50 GB") && it.contains("228 GB")),
                ended.out());
        for (String store : MeasuredBytes.all().keySet())
            assertTrue(
                    ended.out().lines().filter(it -> it.startsWith(store + " ")).count() >= 2, store);
        assertEquals(
                List.of(), ended.out().lines().filter(it -> it.length() > 100).toList());
    }

    @Test
    void as_json_it_is_the_same_for_programs() throws IOException {
        Ended ended = plan("--json", "--tombstone", "0s", "--store", "dynamodb,redis", "--price", "redis.copies=1");
        assertEquals(0, ended.code(), ended.err());
        JsonNode plan = new ObjectMapper().readTree(ended.out());
        assertEquals(864e6, plan.at("/kept/outcomes").asDouble());
        assertEquals(864e6 * 264, plan.at("/estimate/outcomesBytes").asDouble());
        assertEquals("dynamodb", plan.at("/stores/0/store").asText());
        assertEquals("redis", plan.at("/stores/1/store").asText());
        assertEquals(2, plan.at("/stores").size());
        assertEquals(1, plan.at("/stores/1/storedBytes/copies").asDouble());
        double bytes = plan.at("/stores/1/bytesPerKey/outcome").asDouble();
        assertEquals(864e6 * bytes, plan.at("/stores/1/storedBytes/total").asDouble(), 1);
        assertEquals(2, plan.at("/stores/0/requests/freshWriteUnits").asDouble());
    }

    @Test
    void it_is_drawn_as_a_picture_that_parses() throws Exception {
        Path file = folder.resolve("plan.svg");
        assertEquals(0, plan("--svg", file.toString()).code());
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        String svg = Files.readString(file);
        for (String store : MeasuredBytes.all().keySet()) assertTrue(svg.contains(">" + store + "<"), store);
        assertTrue(!svg.contains("NaN") && !svg.contains("Infinity"), svg);
    }

    @Test
    void what_makes_no_sense_is_said_in_one_line() throws IOException {
        for (String[] odd : new String[][] {
            {"--store", "rediz"},
            {"--price", "dsk=1"},
            {"--price", "disk=cheap"},
            {"--tombstone", "soon"},
            {"--duplicates", "-1"}
        }) {
            Ended ended = plan(odd);
            assertEquals(2, ended.code(), ended.err());
            assertEquals(
                    1, ended.err().lines().filter(it -> !it.contains("--help")).count(), ended.err());
        }
        assertTrue(plan("--store", "rediz").err().contains("Did you mean 'redis'?"));
        assertEquals(
                2,
                SemelShell.run("plan", "--tps", "0", "--retention", "24h", "--body", "1")
                        .code());
        assertEquals(2, SemelShell.run("plan", "--tps", "5").code());
    }

    @Test
    void its_help_says_where_each_price_comes_from() throws IOException {
        String help = SemelShell.run("plan", "--help").out();
        assertTrue(help.contains("dynamodb.write=0.625") && help.contains("assumption; set your own"), help);
    }

    @Test
    void every_store_that_keeps_anything_was_measured() {
        TreeSet<String> declared = new TreeSet<>();
        for (DeclaredTraits each : StoreUrls.DECLARED)
            declared.add(each.store().toLowerCase(Locale.ROOT).replaceFirst(" .*", ""));
        declared.remove("memory");
        assertEquals(declared, new TreeSet<>(MeasuredBytes.all().keySet()));
        for (MeasuredBytes each : MeasuredBytes.all().values()) {
            assertTrue(each.tombstone() > 0 && each.held() > 0 && each.done(0) > 0, each.store());
            assertTrue(each.done(10_240) > each.done(200), each.store());
            assertTrue(each.origin().contains("./semel bench storage"), each.origin());
        }
    }

    @Test
    void the_guide_has_the_bytes_that_were_measured() throws IOException {
        Path guide = ROOT.resolve("docs/planning.md");
        String text = Files.readString(guide);
        same(guide, text, replaced(text, BEGIN, END, table()));
    }

    @Test
    void the_guide_shows_what_its_example_prints() throws IOException {
        Path drawn = folder.resolve("planning.svg");
        Ended ended = plan("--svg", drawn.toString());
        Path guide = ROOT.resolve("docs/planning.md");
        String text = Files.readString(guide);
        same(guide, text, replaced(text, EXAMPLE, EXAMPLE_END, "```\n" + ended.out() + "```\n"));
        Path picture = ROOT.resolve("docs/planning.svg");
        same(picture, Files.exists(picture) ? Files.readString(picture) : "", Files.readString(drawn));
    }

    private static String replaced(String text, String begin, String end, String between) {
        int from = text.indexOf(begin) + begin.length();
        return text.substring(0, from) + between + text.substring(text.indexOf(end, from));
    }

    private static void same(Path file, String is, String shouldBe) throws IOException {
        if (APPLY) Files.writeString(file, shouldBe);
        else
            assertEquals(
                    shouldBe,
                    is,
                    "to write " + file.getFileName()
                            + " anew: mvn -q test -pl cli -am -Dtest=PlanTest -Dsemel.tables=apply");
    }

    private static String table() {
        StringBuilder table = new StringBuilder();
        Map<String, MeasuredBytes> all = MeasuredBytes.all();
        List<Long> sizes = List.copyOf(all.values().iterator().next().done().keySet());
        table.append("| bytes a key | claimed |");
        for (long size : sizes) table.append(String.format(Locale.ROOT, " outcome of %,d |", size));
        table.append(" tombstone | measured |\n|---|---|")
                .append("---|".repeat(sizes.size()))
                .append("---|---|\n");
        for (MeasuredBytes it : all.values()) {
            table.append("| ").append(it.store()).append(String.format(Locale.ROOT, " | %,d |", it.held()));
            for (long size : sizes) table.append(String.format(Locale.ROOT, " %,d |", Math.round(it.done(size))));
            table.append(String.format(Locale.ROOT, " %,d | %s. %s |%n", it.tombstone(), it.how(), it.origin()));
            if (it.passing().isEmpty()) continue;
            table.append("| ")
                    .append(it.store())
                    .append(", kept for ")
                    .append(it.passingTime().toHours())
                    .append(" h beside it | |");
            for (long size : sizes) table.append(String.format(Locale.ROOT, " %,d |", Math.round(it.passing(size))));
            table.append(" | the last write of each key |\n");
        }
        return table.toString();
    }
}
