package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.HostPort;
import dev.semel.gateway.config.UpstreamSettings;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands in the guide do what it says. */
class ServiceGuideTest {
    private static final Path ROOT = Path.of(System.getProperty("semel.root", ".."));
    private static final Path GUIDE = ROOT.resolve("docs/service-api.md");
    private static final Pattern BLOCK = Pattern.compile("```(sh|json)\n(.*?)```", Pattern.DOTALL);
    private static final String NEXT = "--- next ---";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Members that are different every time. */
    private static final List<String> VOLATILE = List.of("id", "token", "leaseUntil", "expires", "since");

    @TempDir
    Path folder;

    @Test
    void every_command_of_the_guide_is_answered_as_it_says() throws Exception {
        StringBuilder script = new StringBuilder("set -euo pipefail\n");
        List<String> expected = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(GUIDE));
        while (block.find()) {
            if (block.group(1).equals("json")) expected.add(block.group(2));
            else script.append(block.group(2)).append(expectsAnswer(block) ? "echo '" + NEXT + "'\n" : "");
        }
        assertTrue(expected.size() >= 7, "the guide has too few answers to check");

        String[] printed = run(script.toString()).split(NEXT + "\n", -1);
        assertEquals(expected.size() + 1, printed.length, String.join(NEXT, printed));
        for (int i = 0; i < expected.size(); i++)
            assertEquals(steady(expected.get(i)), steady(printed[i]), "answer " + (i + 1));
    }

    @Test
    void the_python_of_the_guide_is_that_of_the_program() throws Exception {
        String program = Files.readString(ROOT.resolve("examples/python/once.py"));
        Matcher block = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(GUIDE));
        assertTrue(block.find(), "the guide has no Python");
        assertTrue(program.contains(block.group(1)), "the guide quotes what is not in the program");
    }

    private static boolean expectsAnswer(Matcher block) throws Exception {
        return Files.readString(GUIDE).substring(block.end()).strip().startsWith("```json");
    }

    private String run(String script) throws Exception {
        Tools.require("curl", "jq");
        HostPort anywhere = new HostPort("127.0.0.1", 0);
        UpstreamSettings nowhere = new UpstreamSettings(
                List.of(URI.create("http://127.0.0.1:1")), Duration.ofSeconds(1), Duration.ofSeconds(1), null, true);
        GatewayConfig config = GatewayConfig.of(nowhere)
                .withListen(anywhere)
                .withAdmin(anywhere)
                .acceptingLostKeys();
        try (Gateway gateway = Gateway.start(config, new InMemoryKeyStore())) {
            String here = script.replace("127.0.0.1:8080", "127.0.0.1:" + gateway.port());
            Path said = folder.resolve("said");
            Process bash = new ProcessBuilder("bash", "-c", here)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            try {
                assertTrue(bash.waitFor(60, TimeUnit.SECONDS), "the commands do not end");
            } finally {
                bash.destroyForcibly();
            }
            String printed = Files.readString(said);
            assertEquals(0, bash.exitValue(), "curl and jq are needed (apt-get install curl jq): " + printed);
            return printed;
        }
    }

    /** Line by line, with what changes from run to run taken out. */
    private static List<JsonNode> steady(String answers) throws Exception {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : answers.strip().split("\n", -1)) {
            JsonNode json = JSON.readTree(line);
            if (json instanceof ObjectNode object)
                for (String name : VOLATILE) if (object.has(name)) object.put(name, "*");
            lines.add(json);
        }
        return lines;
    }
}
