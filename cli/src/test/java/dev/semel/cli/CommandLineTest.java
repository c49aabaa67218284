package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.cli.SemelProcess.Ended;
import dev.semel.testkit.postgres.PostgresServer;
import dev.semel.testkit.server.FreePort;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
            strings = {
                "--help",
                "serve --help",
                "check --help",
                "demo --help",
                "upstream --help",
                "keys --help",
                "keys resolve --help"
            })
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
                "demo --seconds soon",
                "upstream --listen here",
                "upstream --slow soon",
                "upstream --lose 1.5"
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
    @CsvSource({
        "chekc semel.yml, 'check', semel --help",
        "--hepl, '--help', semel --help",
        "serve --upstraem http://127.0.0.1:9, '--upstream', semel serve --help",
        "serve --no-migrat, '--no-migrate', semel serve --help",
        "keys lst, 'list', semel keys --help",
        "keys get k --operaton x, '--operation', semel keys get --help",
        "keys, 'list', semel keys --help",
        "serve --upstream, '--upstream', semel serve --help",
        "keys list --limit many, 'many', semel keys list --help",
        "check a b, 'b', semel check --help",
    })
    void a_mistake_is_told_in_two_lines_with_what_was_meant(String line, String meant, String help) throws Exception {
        Ended ended = SemelShell.run(line.split(" "));
        assertEquals(2, ended.code(), ended.err());
        assertEquals("", ended.out());
        assertTrue(ended.err().lines().count() <= 2, ended.err());
        says(ended.err(), "semel: ", meant, help);
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
        Ended ended = run("serve", "--upstream", UPSTREAM, "--store", nowhere, "--store-wait", "3s");
        assertEquals(1, ended.code(), ended.err());
        says(ended.err(), "semel: waiting up to 3 s for the database", "refused");
        assertTrue(!ended.err().contains("hush"), ended.err());
    }

    /** One database for both: it comes up late, and its tables are made by hand. */
    @Test
    void a_database_that_comes_up_late_is_waited_for_and_only_the_missing_sql_is_printed() throws Exception {
        try (TemporaryFolder folder = OpenStore.folder();
                PostgresServer database = OpenStore.postgres(folder);
                CountingUpstream upstream = CountingUpstream.start()) {
            Ended all = run("serve", "--no-migrate", "--store", database.jdbcUrl());
            assertEquals(0, all.code(), all.err());
            says(all.out(), "create table semel_key", "values (1)", "values (2)", "values (3)");
            database.kill9();
            try (SemelProcess late = SemelProcess.start(
                    "serve",
                    "--upstream",
                    upstream.url().toString(),
                    "--store",
                    database.jdbcUrl(),
                    "--listen",
                    "127.0.0.1:0",
                    "--admin",
                    "127.0.0.1:0")) {
                late.awaitError("semel: waiting up to 60 s for the database");
                database.restart();
                late.awaitError("semel: the database is there, after");
                late.awaitError("semel: admin on ");
            }
            Ended none = run("serve", "--no-migrate", "--store", database.jdbcUrl());
            assertEquals(0, none.code(), none.err());
            assertEquals("", none.out());
            says(none.err(), "semel: nothing is missing in the store jdbc:postgresql://127.0.0.1");
        }
    }

    /** What the start script gives the JVM is written there once more, for it cannot ask. */
    @Test
    void the_start_script_gives_the_options_of_a_gateway() throws Exception {
        String script = Files.readString(Path.of(System.getProperty("semel.root", ".."), "semel"));
        says(script, GatewayJvm.with().toArray(String[]::new));
        says(script, "-XX:+ExitOnOutOfMemoryError");
    }

    @Test
    void the_demo_kills_its_gateway_and_charges_nobody_twice_but_its_twin_does() throws Exception {
        try (SemelProcess demo = SemelProcess.start("demo", "--seconds", "4", "--seed", "7")) {
            Ended ended = demo.ended();
            assertEquals(0, ended.code(), ended.out() + ended.err());
            says(
                    ended.out(),
                    "curl -i http://127.0.0.1:",
                    "The gateway was killed with kill -9 once.",
                    " charged more than once.",
                    "With Semel, every payment was charged exactly once.",
                    "./semel demo --seed 7 --seconds 4");
            assertEquals(List.of(), demo.descendants());
        }
    }

    @Test
    void the_demo_of_messages_kills_its_shops_and_writes_every_invoice_once() throws Exception {
        try (SemelProcess demo = SemelProcess.start("demo", "--messages", "--seconds", "3", "--seed", "7")) {
            Ended ended = demo.ended();
            assertEquals(0, ended.code(), ended.out() + ended.err());
            says(
                    ended.out(),
                    "The shops were killed with kill -9 once, and the relay with them.",
                    "With Semel, every order has exactly one invoice.",
                    "./semel demo --messages --seed 7 --seconds 3");
            assertEquals(List.of(), demo.descendants());
        }
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
