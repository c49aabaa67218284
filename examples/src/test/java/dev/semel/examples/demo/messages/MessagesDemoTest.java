package dev.semel.examples.demo.messages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.postgres.PostgresServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(90)
class MessagesDemoTest {
    private static final long SEED = 7;

    @Test
    void every_order_has_one_invoice_with_outbox_and_inbox_and_not_without(@TempDir Path folder) throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PostgresServer server = PostgresServer.startFromClassPath(folder.resolve("postgres"), "fsync=off")) {
            for (String each : List.of("with_semel", "bare")) run(server.jdbcUrl(), "create database " + each);
            MessagesDemo.Databases databases =
                    new MessagesDemo.Databases(server.jdbcUrl("with_semel"), server.jdbcUrl("bare"));
            MessagesSummary end = MessagesDemo.run(
                    databases, folder, Duration.ofSeconds(6), SEED, new PrintStream(printed, true, UTF_8));
            String said = printed.toString(UTF_8);
            System.out.println("seed " + SEED + "\n" + said);

            assertTrue(end.isExactlyOnce(), end.toString());
            assertEquals(0, wrongOrders(databases.with()), "counted by another road");
            assertTrue(end.with().absorbed() > 0, "duplicates came: " + end);
            assertEquals(1, end.kills(), "nobody watches, so the shops are killed half-way");

            assertTrue(end.bare().lost() > 0 && end.bare().twice() > 0, end.toString());
            assertEquals(end.bare().lost() + twice(databases.bare()), wrongOrders(databases.bare()));
            assertEquals(end.with().orders(), end.bare().orders());
            for (String each : List.of(
                    "With Semel, every order has exactly one invoice.",
                    "orders have no invoice, and",
                    "./semel demo --messages --seed 7 --seconds 6")) assertTrue(said.contains(each), said);
        }
    }

    private static long wrongOrders(String url) throws Exception {
        return run(
                url,
                "select count(*) from placed_order as o where"
                        + " (select count(*) from invoice as i where i.order_id = o.id and i.cents = o.cents) <> 1");
    }

    private static long twice(String url) throws Exception {
        return run(url, "select count(*) from (select from invoice group by order_id having count(*) > 1) as t");
    }

    private static long run(String url, String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) return 0;
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    @Test
    void the_board_fits_a_usual_terminal_also_when_everything_is_broken() {
        MessagesCount much = new MessagesCount(
                9_999_999,
                999_999,
                999_999,
                999_999,
                999_999,
                9_999_999,
                99_999,
                99_999,
                99_999_999,
                99_999,
                9_999_999);
        MessagesSummary worst =
                new MessagesSummary(Duration.ofMinutes(999), much, much, 99, 99, 999, 99, false, false, false, false);
        List<String> lines = new MessagesBoard(false, UTF_8).lines(worst, MessagesScreen.KEYS);
        assertTrue(lines.size() <= MessagesBoard.HEIGHT, lines.size() + " lines");
        for (String line : lines) assertTrue(line.length() <= MessagesBoard.WIDTH, line.length() + ": " + line);
        assertFalse(String.join("", lines).contains("\033"));
    }
}
