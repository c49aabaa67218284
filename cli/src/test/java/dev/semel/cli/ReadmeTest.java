package dev.semel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.server.FreePort;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The first commands of the README, pasted as they are, do what it says; only the ports are others. */
class ReadmeTest {
    private static final Path README = Path.of(System.getProperty("semel.root", ".."), "README.md");
    private static final Pattern SECTION = Pattern.compile("## Put it in front of an API\n(.*?)\n## ", Pattern.DOTALL);
    private static final Pattern BLOCK = Pattern.compile("```\\w*\n(.*?)```", Pattern.DOTALL);
    private static final Pattern KEY = Pattern.compile("Idempotency-Key: ([^']+)'");

    private final List<String> commands = commands();
    private final int port = FreePort.pick();
    private final int upstreamPort = FreePort.pick();
    private final int adminPort = FreePort.pick();

    ReadmeTest() throws Exception {}

    private static List<String> commands() throws Exception {
        Matcher section = SECTION.matcher(Files.readString(README));
        assertTrue(section.find(), "the README has no such section");
        List<String> commands = new ArrayList<>();
        Matcher block = BLOCK.matcher(section.group(1));
        while (block.find())
            for (String line : block.group(1).replace("\\\n", " ").split("\n"))
                if (!line.isBlank())
                    commands.add(line.replaceAll("\\s+# .*", "").strip());
        return commands;
    }

    @Test
    void the_same_curl_charges_once_and_is_answered_alike_also_after_kill_9() throws Exception {
        try (TemporaryFolder folder = OpenStore.folder();
                SemelProcess upstream = semel("./semel upstream", "--listen", "127.0.0.1:" + upstreamPort)) {
            upstream.awaitOutput("A payment service listens on http://127.0.0.1:" + upstreamPort);
            Answer first;
            try (SemelProcess gateway = serve(folder)) {
                first = curl(theCurl());
                assertEquals("201", first.summary(), first.text());
                assertFalse(first.isReplay());
                isTheSame(first, curl(theCurl()));
                tenAtOnceChargeOnce();
                gateway.kill9();
            }
            try (SemelProcess gateway = serve(folder)) {
                isTheSame(first, curl(theCurl()));
                inFlightAtTheKillIsInDoubt(upstream, gateway);
            }
            try (SemelProcess gateway = serve(folder)) {
                Await.until("the doubt is told", () -> {
                    Answer retry = curl(theCurl("in-flight"));
                    assertEquals(409, retry.status(), retry.text());
                    return retry.problem().equals("outcome-unknown");
                });
                isTheSame(first, curl(theCurl()));
                gateway.kill9();
            }
            assertEquals(1, charges(key()));
            assertEquals(1, charges("ten-at-once"));
            long perhaps = charges("in-flight");
            assertTrue(perhaps <= 1, perhaps + " charges of what was in flight");
            assertEquals(
                    2 + perhaps,
                    Long.parseLong(Client.get(upstreamPort, "/v1/charges").get("total")));
            upstream.awaitOutput("charged 10.00 eur to c_1, key " + key());
        }
    }

    private void tenAtOnceChargeOnce() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Answer> command = () -> curl(theCurl("ten-at-once"));
            List<Answer> answers = new ArrayList<>();
            for (Future<Answer> each : threads.invokeAll(Collections.nCopies(10, command))) answers.add(each.get());
            assertEquals(9, answers.stream().filter(Answer::isReplay).count());
            assertEquals(1, answers.stream().map(Answer::essence).distinct().count());
        }
    }

    /** The upstream is stopped for a moment, so that there is something in flight. */
    private void inFlightAtTheKillIsInDoubt(SemelProcess upstream, SemelProcess gateway) throws Exception {
        upstream.signal("STOP");
        Process pasted = new ProcessBuilder("bash", "-c", theCurl("in-flight")).start();
        try {
            Await.until("it is in flight", () -> status("in-flight").contains("in-progress"));
            gateway.kill9();
        } finally {
            pasted.destroyForcibly();
            upstream.signal("CONT");
        }
    }

    private String status(String key) throws Exception {
        return Client.get(port, "/.semel/v1/keys/" + key + "?operation=POST%20/v1/charges")
                .text();
    }

    private long charges(String key) throws Exception {
        Answer found = Client.get(upstreamPort, "/v1/charges?idempotency_key=" + key);
        return found.status() == 404 ? 0 : Long.parseLong(found.get("total"));
    }

    private static void isTheSame(Answer first, Answer again) {
        assertTrue(again.isReplay(), again.essence());
        assertEquals(first.essence(), again.essence());
    }

    private SemelProcess serve(TemporaryFolder folder) throws Exception {
        String store = "rocksdb:" + folder.path().resolve("semel-data");
        String listen = "127.0.0.1:" + port;
        SemelProcess gateway =
                semel("./semel serve", "--listen", listen, "--admin", "127.0.0.1:" + adminPort, "--store", store);
        gateway.awaitError("semel: admin on ");
        return gateway;
    }

    private SemelProcess semel(String beginning, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of(command(beginning).split(" +")));
        words.removeFirst();
        words.addAll(List.of(more));
        return SemelProcess.start(words.toArray(String[]::new));
    }

    private String theCurl() {
        return command("curl");
    }

    private String theCurl(String key) {
        return theCurl().replace(key(), key);
    }

    private String key() {
        Matcher key = KEY.matcher(theCurl());
        assertTrue(key.find(), "no key in " + theCurl());
        return key.group(1);
    }

    private String command(String beginning) {
        return commands.stream()
                .filter(command -> command.startsWith(beginning))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no '" + beginning + "' in the README: " + commands))
                .replace("127.0.0.1:9000", "127.0.0.1:" + upstreamPort)
                .replace("127.0.0.1:8080", "127.0.0.1:" + port);
    }

    private static Answer curl(String command) throws Exception {
        Process curl = new ProcessBuilder("bash", "-c", command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        byte[] printed = curl.getInputStream().readAllBytes();
        assertEquals(0, curl.waitFor(), () -> "curl is needed, and answered: " + new String(printed, UTF_8));
        return Answer.of(HttpMessage.read(new ByteArrayInputStream(printed)));
    }
}
