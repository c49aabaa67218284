package dev.semel.walls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.store.DeclaredTraits;
import dev.semel.core.store.StoreTraits;
import dev.semel.core.store.StoreTraits.LeaseClock;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.TraitsText;
import dev.semel.http.DurationText;
import dev.semel.store.jdbc.H2KeyStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The tables of stores in the documents say what the stores declare. To write them anew:
 * {@code mvn -q test -pl walls -am -Dtest=StoreTablesTest -Dsemel.tables=apply}.
 */
class StoreTablesTest {
    private static final Path ROOT =
            Path.of(System.getProperty("semel.root", "..")).toAbsolutePath().normalize();
    private static final boolean APPLY = "apply".equals(System.getProperty("semel.tables"));
    private static final String BEGIN =
            "<!-- stores: written from what the stores declare, by StoreTablesTest in walls -->\n";
    private static final String END = "<!-- stores: end -->";

    /** How each store is named where people choose one: its URL, and the page about it. */
    private static final Map<String, String> URLS = Map.of(
            "RocksDB", "`rocksdb:DIR`",
            "PostgreSQL", "[`jdbc:postgresql://…`](docs/stores/postgresql.md) (14 or later)",
            "MariaDB and MySQL", "[`jdbc:mariadb://…`, `jdbc:mysql://…`](docs/stores/mariadb.md) (10.6, 8.0 or later)",
            "Redis", "[`redis://…`, `redis-sentinel://…`, `redis-cluster://…`](docs/stores/redis.md) (7 or later)",
            "DynamoDB", "[`dynamodb://…`](docs/stores/dynamodb.md)",
            "Cassandra", "[`cassandra://…`](docs/stores/cassandra.md) (4.1 or later)",
            "memory", "`memory:`, with `--accept-lost-keys`");

    private static final Map<String, String> PAGES = Map.of(
            "PostgreSQL", "postgresql.md",
            "MariaDB and MySQL", "mariadb.md",
            "Redis", "redis.md",
            "DynamoDB", "dynamodb.md",
            "Cassandra", "cassandra.md");

    @TestFactory
    List<DynamicTest> each_table_is_as_the_stores_declare() {
        List<DeclaredTraits> all = new ArrayList<>(StoreUrls.DECLARED);
        all.add(H2KeyStore.DECLARED);
        return List.of(
                table("README.md", toChooseFrom(StoreUrls.DECLARED)),
                table("ARCHITECTURE.md", allTraits(StoreUrls.DECLARED, "docs/stores/")),
                table("docs/stores/README.md", allTraits(all, "")));
    }

    @Test
    void each_page_of_a_store_is_there_and_in_the_table() throws IOException {
        List<String> pages = PAGES.values().stream().sorted().toList();
        try (var files = Files.list(ROOT.resolve("docs/stores"))) {
            assertEquals(
                    pages,
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
                            .sorted()
                            .toList());
        }
    }

    private static DynamicTest table(String document, String table) {
        return DynamicTest.dynamicTest(document, () -> {
            Path file = ROOT.resolve(document);
            String text = Files.readString(file);
            int begin = text.indexOf(BEGIN);
            int end = text.indexOf(END);
            assertTrue(begin >= 0 && end > begin, document + " has no place for the table: " + BEGIN + END);
            if (APPLY) Files.writeString(file, text.substring(0, begin + BEGIN.length()) + table + text.substring(end));
            else
                assertEquals(
                        table,
                        text.substring(begin + BEGIN.length(), end),
                        "to write it anew: mvn -q test -pl walls -am -Dtest=StoreTablesTest -Dsemel.tables=apply");
        });
    }

    private static String toChooseFrom(List<DeclaredTraits> stores) {
        StringBuilder table = new StringBuilder("| store | a recorded key survives | shared by |\n|---|---|---|\n");
        for (DeclaredTraits store : stores)
            table.append("| ")
                    .append(URLS.get(store.store()))
                    .append(" | ")
                    .append(TraitsText.survives(store.usual().survives()))
                    .append(store.survivesBy().isEmpty() ? "" : ", or less: see " + store.survivesBy())
                    .append(" | ")
                    .append(shared(store.usual()))
                    .append(" |\n");
        return table.toString();
    }

    private static String allTraits(List<DeclaredTraits> stores, String folder) {
        StringBuilder table = new StringBuilder();
        row(table, "", stores, it -> title(it, folder));
        table.append("|---".repeat(stores.size() + 1)).append("|\n");
        row(
                table,
                "an answered write survives",
                stores,
                it -> TraitsText.survives(it.usual().survives()));
        row(
                table,
                "in the weakest set-up",
                stores,
                it -> it.survivesBy().isEmpty() ? "the same" : TraitsText.survives(it.least()));
        row(table, "which is decided by", stores, DeclaredTraits::survivesBy);
        row(table, "shared by", stores, it -> shared(it.usual()));
        row(table, "leases are judged by", stores, it -> TraitsText.clock(it.usual()));
        row(table, "skew of clocks that is added", stores, StoreTablesTest::skew);
        row(table, "largest outcome", stores, StoreTablesTest::largest);
        row(table, "forgotten keys are removed by", stores, it -> TraitsText.forgetting(it.usual()));
        row(table, "lists keys", stores, it -> yes(it.usual().lists()));
        row(table, "counts keys (`quota: keys`)", stores, it -> yes(it.usual().counts()));
        row(
                table,
                "tells waiters of other processes",
                stores,
                it -> yes(it.usual().notifies()));
        row(table, "joins a caller's transaction", stores, StoreTablesTest::joins);
        return table.toString();
    }

    private static void row(
            StringBuilder table, String name, List<DeclaredTraits> stores, Function<DeclaredTraits, String> cell) {
        table.append("| ")
                .append(name)
                .append(" | ")
                .append(stores.stream().map(cell).collect(Collectors.joining(" | ")))
                .append(" |\n");
    }

    private static String title(DeclaredTraits store, String folder) {
        String page = PAGES.get(store.store());
        return page == null ? store.store() : "[" + store.store() + "](" + folder + page + ")";
    }

    private static String shared(StoreTraits traits) {
        return traits.clock() == LeaseClock.PROCESS ? "one process" : "any number of processes";
    }

    private static String skew(DeclaredTraits store) {
        Duration skew = store.usual().skew();
        String usual = skew.isZero() ? "none" : DurationText.of(skew);
        return store.skewBy().isEmpty() ? usual : usual + " (" + store.skewBy() + ")";
    }

    private static String largest(DeclaredTraits store) {
        String usual = TraitsText.size(store.usual().largestOutcome());
        return store.largestBy().isEmpty() ? usual : usual + " (" + store.largestBy() + ")";
    }

    private static String joins(DeclaredTraits store) {
        String usual = yes(store.usual().joins());
        return store.joinsBy().isEmpty() ? usual : usual + " (" + store.joinsBy() + ")";
    }

    private static String yes(boolean can) {
        return can ? "yes" : "no";
    }
}
