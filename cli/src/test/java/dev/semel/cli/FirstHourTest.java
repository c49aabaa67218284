package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.server.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the first hour, one after the other in one shell, print what the guide says; only the ports are others. */
class FirstHourTest {
    private static final Path GUIDE = Path.of(System.getProperty("semel.root", ".."), "docs", "first-hour.md");
    private static final Pattern BLOCK = Pattern.compile("```(sh|text)\n(.*?)```", Pattern.DOTALL);
    private static final Pattern SERVER = Pattern.compile("(?m)^\\./semel (serve|upstream) .*&.*$");
    private static final String NEXT = "--- next ---";

    @TempDir
    Path folder;

    private final int port = FreePort.pick();
    private final int upstreamPort = FreePort.pick();
    private final int adminPort = FreePort.pick();

    FirstHourTest() throws IOException {}

    /** What the shell is given, and the lines that must be in what it prints then. */
    private record Step(String commands, String expected) {}

    @Test
    void every_command_of_the_first_hour_prints_what_the_guide_says() throws Exception {
        List<Step> steps = steps();
        assertTrue(steps.stream().filter(step -> !step.expected().isEmpty()).count() >= 10, "too few answers to check");
        StringBuilder script = new StringBuilder("trap 'kill -9 $(jobs -p) 2>/dev/null' EXIT\n");
        for (Step step : steps) script.append(ready(step.commands())).append("echo '" + NEXT + "'\n");
        String[] printed = run(here(script.toString())).split(NEXT + "\n", -1);
        assertEquals(steps.size() + 1, printed.length, String.join(NEXT, printed));
        for (int i = 0; i < steps.size(); i++)
            if (!steps.get(i).expected().isEmpty()) isPrinted(steps.get(i), printed[i]);
    }

    private static List<Step> steps() throws IOException {
        List<Step> steps = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(GUIDE));
        while (block.find()) {
            if (block.group(1).equals("sh")) steps.add(new Step(block.group(2), ""));
            else steps.add(new Step(steps.removeLast().commands(), block.group(2)));
        }
        return steps.stream()
                .filter(step -> !step.commands().startsWith("./semel demo"))
                .toList();
    }

    /** A reader waits until a server says that it listens. */
    private static String ready(String commands) {
        Matcher server = SERVER.matcher(commands);
        if (!server.find()) return commands;
        String address = "http://127.0.0.1:" + (server.group(1).equals("serve") ? 8080 : 9000) + "/";
        return commands + "until curl -s -o /dev/null " + address + "; do sleep 0.1; done\n";
    }

    private String here(String script) {
        return script.replaceAll("\\b8080\\b", "" + port).replaceAll("\\b9000\\b", "" + upstreamPort);
    }

    private String run(String script) throws Exception {
        writeStartScript();
        Path printed = folder.resolve("printed.txt");
        Process bash = new ProcessBuilder("bash", "-c", script)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            boolean ended = bash.waitFor(300, TimeUnit.SECONDS);
            assertTrue(ended, () -> "the commands do not end: " + text(printed));
        } finally {
            bash.descendants().forEach(ProcessHandle::destroyForcibly);
            bash.destroyForcibly();
        }
        return text(printed);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** In place of ./semel: the same command line, from the class path of the tests, on ports of its own. */
    private void writeStartScript() throws IOException {
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        java.addAll(SemelProcess.JVM);
        String command = java.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        Path script = Files.writeString(folder.resolve("semel"), """
            #!/bin/sh
            archive='%s'
            case "$1" in
              serve) archive='%s'; set -- "$@" --listen 127.0.0.1:%d --admin 127.0.0.1:%d ;;
              upstream) set -- "$@" --listen 127.0.0.1:%d ;;
              keys) set -- "$@" --admin 127.0.0.1:%d ;;
            esac
            exec %s $archive -cp '%s' %s "$@"
            """.formatted(
                        String.join(" ", SharedClasses.options()),
                        String.join(" ", SharedClasses.options("serve")),
                        port,
                        adminPort,
                        upstreamPort,
                        adminPort,
                        command,
                        SharedClasses.CLASS_PATH,
                        Main.class.getName()));
        assertTrue(script.toFile().setExecutable(true));
    }

    /** Line by line, in this order; … stands for anything. */
    private static void isPrinted(Step step, String printed) {
        String pattern = Arrays.stream(step.expected().strip().split("\n"))
                .map(line ->
                        Arrays.stream(line.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")))
                .collect(Collectors.joining(".*\n(?:.*\n)*?"));
        boolean there = Pattern.compile("(?m)^" + pattern + ".*$")
                .matcher(printed.replace("\r", ""))
                .find();
        assertTrue(
                there, () -> "After:\n" + step.commands() + "expected:\n" + step.expected() + "but was:\n" + printed);
    }
}
