package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.cli.SemelProcess.Ended;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command line says, and with which exit code it ends. */
class CommandLineTest {
    private static final String UPSTREAM = "http://127.0.0.1:9";

    @Test
    void without_arguments_it_shows_its_usage() throws Exception {
        Ended ended = run();
        assertEquals(2, ended.code());
        says(ended.out(), "Usage: semel", "serve", "check", "demo", "Exit codes:");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--help", "serve --help", "check --help", "demo --help", "keys --help", "keys resolve --help"})
    void help_is_no_mistake(String line) throws Exception {
        Ended ended = SemelShell.run(line.split(" "));
        assertEquals(0, ended.code(), ended.err());
        says(ended.out(), "Usage: semel");
        assertEquals("", ended.err());
    }

    @Test
    void the_help_of_serve_names_every_option_variable_and_store() throws Exception {
        says(
                run("serve", "--help").out(),
                "--upstream",
                "--listen",
                "--admin",
                "--store",
                "--config",
                "SEMEL_UPSTREAM",
                "SEMEL_STORE",
                "rocksdb:DIR",
                "jdbc:postgresql:",
                "memory:");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "serve --nonsense",
                "serve",
                "serve --upstream ftp://127.0.0.1",
                "serve --upstream " + UPSTREAM + " --listen here",
                "serve --upstream " + UPSTREAM + " --admin 127.0.0.1:65536",
                "serve --upstream " + UPSTREAM + " --store cupboard:top-shelf",
                "serve --config no-such-file.yml",
                "check",
                "check no-such-file.yml",
                "keys get k --admin nowhere",
                "serve --store memory: --upstream " + UPSTREAM + " --admin 0.0.0.0:8081",
                "demo --seconds soon"
            })
    void a_wrong_command_line_ends_with_2_and_without_a_stack_trace(String line) throws Exception {
        Ended ended = SemelShell.run(line.split(" "));
        assertEquals(2, ended.code(), ended.err());
        String[] words = line.split(" ");
        String culprit = words.length == 1 ? words[0] : words[words.length - 1];
        if (!List.of("serve", "check").contains(culprit)) says(ended.err(), culprit);
        assertTrue(!ended.err().contains("\tat "), ended.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--listen", "--admin"})
    void a_port_that_is_taken_ends_with_1_and_says_which(String option) throws Exception {
        String other = option.equals("--listen") ? "--admin" : "--listen";
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            Ended ended = run(
                    "serve",
                    "--upstream",
                    UPSTREAM,
                    "--store",
                    "memory:",
                    "--accept-lost-keys",
                    option,
                    address,
                    other,
                    "127.0.0.1:0");
            assertEquals(1, ended.code(), ended.err());
            says(ended.err(), "semel: cannot listen on " + address, "in use");
        }
    }

    @Test
    void a_second_process_on_the_same_folder_ends_with_1_and_says_why() throws Exception {
        try (OpenStore store = OpenStore.Kind.ROCKSDB.open();
                CountingUpstream upstream = CountingUpstream.start();
                GatewayProcess first = GatewayProcess.start(store.url(), upstream.url())) {
            Ended second = run(
                    "serve",
                    "--upstream",
                    UPSTREAM,
                    "--store",
                    store.url(),
                    "--listen",
                    "127.0.0.1:0",
                    "--admin",
                    "127.0.0.1:0");
            assertEquals(1, second.code(), second.err());
            says(second.err(), "semel: ", store.url().substring("rocksdb:".length()), "process");
            try (Client client = new Client(first.port())) {
                assertEquals(201, client.order("undisturbed").status());
            }
        }
    }

    @Test
    void a_database_that_is_not_there_ends_with_1_and_says_so() throws Exception {
        String nowhere = "jdbc:postgresql://127.0.0.1:" + FreePort.pick() + "/postgres?user=postgres&password=hush";
        Ended ended = run("serve", "--upstream", UPSTREAM, "--store", nowhere);
        assertEquals(1, ended.code(), ended.err());
        says(ended.err(), "semel: ", "refused");
        assertTrue(!ended.err().contains("hush"), ended.err());
    }

    @Test
    void the_demo_ends_by_itself_and_charges_nobody_twice() throws Exception {
        Ended ended = run("demo", "--seconds", "3");
        assertEquals(0, ended.code(), ended.out() + ended.err());
        says(ended.out(), "charges, 0 double: every payment was charged exactly once.");
    }

    private static Ended run(String... arguments) throws Exception {
        try (SemelProcess process = SemelProcess.start(arguments)) {
            return process.ended();
        }
    }

    private static void says(String text, String... parts) {
        for (String part : parts) assertTrue(text.contains(part), () -> "no '" + part + "' in:\n" + text);
    }
}
