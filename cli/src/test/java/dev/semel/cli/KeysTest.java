package dev.semel.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.cli.SemelProcess.Ended;
import dev.semel.testkit.server.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code semel keys} against a running gateway: what an operator sees and says, and what the client gets then. */
class KeysTest {
    private static final String SCOPE = "POST /v1/orders";

    @TempDir
    Path folder;

    private static CountingUpstream upstream;
    private static OpenStore store;
    private static GatewayProcess gateway;

    @BeforeAll
    static void start() throws Exception {
        upstream = CountingUpstream.start((key, number) -> {
            int effect = upstream.effects(key);
            if (key.startsWith("lost") && effect == 1)
                throw new UncheckedIOException(new IOException("the upstream dies"));
            return receipt(effect);
        });
        store = OpenStore.Kind.ROCKSDB.open();
        gateway = GatewayProcess.start(store.url(), upstream.url());
    }

    @AfterAll
    static void stop() throws Exception {
        if (gateway != null) gateway.close();
        if (store != null) store.close();
        if (upstream != null) upstream.close();
    }

    private static HttpMessage receipt(int effect) {
        byte[] body = ("effect " + effect).getBytes(ISO_8859_1);
        return new HttpMessage("HTTP/1.1 201 Created", List.of(CountingUpstream.length(body)), body);
    }

    private static Answer order(String key) throws Exception {
        try (Client client = new Client(gateway.port())) {
            return client.order(key);
        }
    }

    private static String[] keys(String... arguments) {
        List<String> all = new ArrayList<>(List.of("keys"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--admin", "http://127.0.0.1:" + gateway.adminPort()));
        return all.toArray(String[]::new);
    }

    private static Ended run(String... arguments) throws Exception {
        return SemelShell.run(keys(arguments));
    }

    private static String done(Ended ended, String... parts) {
        assertEquals(0, ended.code(), ended.err());
        assertEquals("", ended.err());
        says(ended.out(), parts);
        return ended.out();
    }

    private static void refused(int code, Ended ended, String... parts) {
        assertEquals(code, ended.code(), ended.err());
        assertEquals("", ended.out());
        says(ended.err(), parts);
        assertFalse(ended.err().contains("\tat "), ended.err());
    }

    private static void says(String text, String... parts) {
        for (String part : parts) assertTrue(text.contains(part), () -> "no '" + part + "' in:\n" + text);
    }

    private Path write(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text, ISO_8859_1);
    }

    @Test
    void a_lost_answer_is_listed_looked_at_and_given_back_to_the_client_byte_for_byte() throws Exception {
        assertEquals("502 outcome-unknown", order("lost-1").summary());
        done(run("list"), "STATE", "in-doubt", "ago (20", SCOPE, "lost-1");
        done(run("get", "lost-1"), "in-doubt", "reason", "history", "semel keys resolve lost-1 --operation '" + SCOPE);

        String body = "{\"id\":\"ch_1\",\"text\":\"\u00e9\"}\n";
        Path answer = write(
                "answer",
                "HTTP/1.1 202 Accepted\r\nContent-Type: application/json; charset=latin1\r\nX-Bank: 7\r\n"
                        + "Connection: close\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        Ended resolved =
                run("resolve", "lost-1", "--done-with", answer.toString(), "--reason", "the bank has it", "--by", "al");
        done(resolved, "lost-1", SCOPE, "status 202");

        Answer replay = order("lost-1");
        assertEquals(202, replay.status());
        assertEquals(body, replay.text());
        assertEquals("7", replay.header("X-Bank"));
        assertEquals("application/json; charset=latin1", replay.header("Content-Type"));
        assertTrue(replay.isReplay());
        assertEquals(1, upstream.effects("lost-1"));
        done(
                run("get", "lost-1"),
                SCOPE,
                "done",
                "al",
                "it did happen: the bank has it",
                "X-Bank: 7",
                body.length() + " bytes");
        gateway.process().awaitError("what=\"resolved: it did happen\" reason=\"the bank has it\"");
        assertFalse(gateway.process().errorSoFar().contains("ch_1"), "the log holds a body");
    }

    @Test
    void what_did_not_happen_runs_when_it_is_retried() throws Exception {
        order("lost-2");
        done(run("resolve", "lost-2", "--did-not-happen", "--reason", "not there"), "free", "the next attempt runs");
        order("lost-3");
        done(run("release", "lost-3", "--reason", "not there either"), "free");
        assertEquals("effect 2", order("lost-2").text());
        assertEquals("effect 2", order("lost-3").text());
        assertTrue(order("lost-2").isReplay());
    }

    @Test
    void a_plain_file_is_the_body_and_its_type_is_told_from_it() throws Exception {
        order("lost-4");
        Path json = write("answer.json", "{\"id\":1}");
        try (SemelProcess process = SemelProcess.startReading(
                json, keys("resolve", "lost-4", "--done-with", "-", "--reason", "r", "--json"))) {
            done(process.ended(), "\"state\":\"done\"", "\"bodyBytes\":8");
        }
        Answer replay = order("lost-4");
        assertEquals(
                "200 application/json {\"id\":1}",
                replay.status() + " " + replay.header("Content-Type") + " " + replay.text());

        order("lost-5");
        Path plain = write("answer.txt", "paid");
        done(run("resolve", "lost-5", "--done-with", plain.toString(), "--status", "201", "--reason", "r"));
        Answer other = order("lost-5");
        assertEquals(
                "201 application/octet-stream paid",
                other.status() + " " + other.header("Content-Type") + " " + other.text());
    }

    @Test
    void what_did_happen_needs_no_reason_and_what_did_not_does() throws Exception {
        order("lost-reasonless");
        refused(2, run("resolve", "lost-reasonless", "--did-not-happen"), "--reason");
        refused(2, run("release", "lost-reasonless"), "--reason");
        Path answer = write("answer.json", "{\"id\":1}");
        done(run("resolve", "lost-reasonless", "--done-with", answer.toString()), "done");
        assertEquals("{\"id\":1}", order("lost-reasonless").text());
        done(run("get", "\"lost-reasonless\""), "it did happen: no reason was given");
    }

    @Test
    void the_gateway_is_named_by_its_address_its_url_or_the_variable() throws Exception {
        String address = "127.0.0.1:" + gateway.adminPort();
        for (String admin : List.of(
                address,
                "localhost:" + gateway.adminPort(),
                "0.0.0.0:" + gateway.adminPort(),
                "http://" + address,
                "http://0.0.0.0:" + gateway.adminPort(),
                "http://" + address + "/")) done(keysOf(Map.of(), "--admin", admin));
        done(keysOf(Map.of("SEMEL_ADMIN", "127.0.0.1:1"), "--admin", address));
        done(keysOf(Map.of("SEMEL_ADMIN", address)));
        refused(3, keysOf(Map.of("SEMEL_ADMIN", "127.0.0.1:1")), "http://127.0.0.1:1 cannot be reached");
        for (String wrong :
                List.of("ftp://" + address, "127.0.0.1", "a b:1", "http://" + address + "/x", ":1", "h:99999"))
            refused(2, keysOf(Map.of(), "--admin", wrong), "'" + wrong + "'");
    }

    private static Ended keysOf(Map<String, String> variables, String... more) throws Exception {
        List<String> line = new ArrayList<>(List.of("keys", "list"));
        line.addAll(List.of(more));
        if (variables.isEmpty()) return SemelShell.run(line.toArray(String[]::new));
        try (SemelProcess process = SemelProcess.start(variables, line.toArray(String[]::new))) {
            return process.ended();
        }
    }

    @Test
    void what_the_gateway_refuses_ends_with_1_and_says_what_to_do() throws Exception {
        order("fine");
        refused(1, run("get", "nobody"), "There is no such key", "No operation has this key");
        refused(1, run("get", "nobody", "--operation", SCOPE), "This operation has no such key", "--tenant");
        refused(1, run("resolve", "fine", "--did-not-happen", "--reason", "r"), "not in doubt", "The key is done");
        order("lost-6");
        refused(
                1,
                run("resolve", "lost-6", "--did-not-happen", "--reason", "r", "--fencing-token", "7"),
                "another token");
        refused(1, run("list", "--state", "odd"), "'odd'");
    }

    @Test
    void a_running_attempt_loses_its_key_by_force_only() throws Exception {
        var answers = upstream.holdAnswers(key -> true);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Answer> hanging = threads.submit(() -> order("slow"));
            Await.until("the upstream has it", () -> upstream.effects("slow") == 1);
            done(run("list"), "in-progress", "slow");
            refused(1, run("release", "slow", "--reason", "r"), "--force", "may happen twice");
            done(run("release", "slow", "--reason", "the upstream is gone", "--force"), "free");
            upstream.holdNothingMore();
            Answer again = order("slow");
            assertEquals("effect 2", again.text());
            answers.countDown();
            assertFalse(
                    hanging.get().text().equals("effect 2") && !hanging.get().isReplay());
            assertEquals("effect 2", order("slow").text());
        }
    }

    @Test
    void a_wrong_command_line_ends_with_2() throws Exception {
        refused(2, run("resolve", "k", "--reason", "r"), "--done-with", "--did-not-happen");
        refused(2, run("resolve", "k", "--did-not-happen"), "--reason");
        refused(2, run("resolve", "k", "--did-not-happen", "--reason", "r", "--status", "201"), "--done-with");
        refused(2, run("resolve", "k", "--done-with", "no-such-file", "--reason", "r"), "no-such-file");
        Path broken = write("broken", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nfour");
        refused(2, run("resolve", "k", "--done-with", broken.toString(), "--reason", "r"), "Content-Length", "4 bytes");
    }

    @Test
    void a_gateway_that_is_not_there_ends_with_3() throws Exception {
        String nowhere = "http://127.0.0.1:" + FreePort.pick();
        try (SemelProcess process = SemelProcess.start("keys", "list", "--admin", nowhere)) {
            refused(3, process.ended(), nowhere, "cannot be reached");
        }
        try (SemelProcess process =
                SemelProcess.start("keys", "list", "--admin", upstream.url().toString())) {
            refused(3, process.ended(), "is not the admin API");
        }
    }

    @Test
    void the_token_of_the_variable_guards_the_gateway_and_opens_it() throws Exception {
        int port = FreePort.pick();
        Path config = write("semel.yml", """
            listen: 127.0.0.1:0
            admin: { listen: 0.0.0.0:%d, token: from-the-file }
            store: "memory:"
            accept-lost-keys: true
            upstream: { url: "%s" }
            """.formatted(port, upstream.url()));
        Path file = write("token", "open-sesame\n");
        String admin = "http://127.0.0.1:" + port;
        Map<String, String> token = Map.of("SEMEL_ADMIN_TOKEN", "open-sesame");
        try (SemelProcess guarded = SemelProcess.start(token, "serve", "--config", config.toString())) {
            guarded.awaitError("semel: admin on ");
            try (SemelProcess process = SemelProcess.start("keys", "list", "--admin", admin)) {
                refused(1, process.ended(), "token is missing or wrong", "SEMEL_ADMIN_TOKEN", "--token-file");
            }
            try (SemelProcess process = SemelProcess.start(token, "keys", "list", "--admin", admin)) {
                done(process.ended(), "No key is in doubt");
            }
            try (SemelProcess process =
                    SemelProcess.start("keys", "list", "--admin", admin, "--token-file", file.toString())) {
                done(process.ended(), "No key");
            }
            assertFalse(guarded.errorSoFar().contains("open-sesame"));
        }
    }

    @Test
    void an_admin_address_that_others_can_reach_needs_a_token() throws Exception {
        Path config = write("semel.yml", """
            admin: { listen: 0.0.0.0:8081 }
            upstream: { url: "http://127.0.0.1:9" }
            """);
        for (String command : List.of("check", "serve")) {
            String[] line = command.equals("check")
                    ? new String[] {"check", config.toString()}
                    : new String[] {"serve", "--config", config.toString()};
            try (SemelProcess process = SemelProcess.start(line)) {
                refused(2, process.ended(), "0.0.0.0:8081", "no admin token", "SEMEL_ADMIN_TOKEN");
            }
        }
        try (SemelProcess process = SemelProcess.start(Map.of("SEMEL_ADMIN_TOKEN", "t"), "check", config.toString())) {
            done(process.ended(), "with the admin token");
        }
    }
}
