package dev.semel.examples.clients;

import static dev.semel.examples.clients.ScriptedApi.CHARGED;
import static dev.semel.examples.clients.ScriptedApi.LOST;
import static dev.semel.examples.clients.ScriptedApi.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each client does by itself with a POST: the table in docs/clients.md, measured. And what Semel makes of it. */
@ExtendWith(Setting.Shared.class)
class ClientHabitsTest {
    private static final Path PAGE = Path.of(System.getProperty("semel.root", "../.."), "docs", "clients.md");

    @ParameterizedTest
    @EnumSource
    void the_table_says_how_often_a_post_is_sent(Clients client) throws Exception {
        List<Callable<Integer>> columns = List.of(
                () -> sent(client, false, LOST),
                () -> sent(client, true, LOST),
                () -> sent(client, false, refused(408)),
                () -> sent(client, false, refused(429, "Retry-After", "1")),
                () -> sent(client, false, refused(503)),
                () -> sent(client, false, refused(503, "Retry-After", "0")),
                () -> sent(client, false, refused(503, "Retry-After", "1")));
        StringBuilder row = new StringBuilder("| " + client.title + " |");
        for (int sent : atOnce(columns)) row.append(' ').append(sent).append(" |");
        assertTrue(Files.readString(PAGE).contains(row + "\n"), "measured: " + row);
    }

    /** They wait, mostly. */
    private static List<Integer> atOnce(List<Callable<Integer>> measurements) throws Exception {
        List<Integer> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> each : threads.invokeAll(measurements)) results.add(each.get());
        }
        return results;
    }

    /** @return how often a POST came to an API that goes wrong once */
    private static int sent(Clients client, boolean reused, ScriptedApi.Turn wrong) throws IOException {
        try (ScriptedApi api = new ScriptedApi();
                Client http = client.fresh()) {
            if (reused) api.then(CHARGED);
            api.then(wrong);
            try {
                if (reused) http.postTwice(api.uri("/v1/charges"), "key");
                else http.post(api.uri("/v1/charges"), "key");
            } catch (IOException e) {
                // given up
            }
            return (int) api.chargesOf("key");
        }
    }

    @ParameterizedTest
    @EnumSource
    void with_one_key_kept_over_all_retries_a_lost_answer_charges_once(Clients client, Setting setting)
            throws Exception {
        String key = UUID.randomUUID().toString();
        try (Client http = client.fresh()) {
            setting.link.loseAnswers(1);
            assertEquals(200, untilAnswered(http, setting, key));
        }
        assertEquals(1, setting.api.chargesOf(key));
    }

    /** The loop that a program needs around a client that gives up. */
    private static int untilAnswered(Client http, Setting setting, String key) throws IOException {
        for (int left = 3; ; left--) {
            try {
                return http.post(setting.link.uri("/v1/charges"), key);
            } catch (IOException e) {
                if (left == 0) throw e;
            }
        }
    }
}
