package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.cli.SemelProcess.Ended;
import dev.semel.testkit.server.FreePort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code check} says about files, and what wins when a setting is given twice. */
class ConfigurationTest {
    @TempDir
    Path folder;

    @Test
    void a_valid_file_is_explained() throws Exception {
        Ended ended = check("""
            listen: 127.0.0.1:8088
            store: rocksdb:./keys
            upstream: { url: "http://${UPSTREAM_HOST}:9000", timeout: 10s }
            routes:
              - match: POST /v1/charges
                key: required
                lease: 20s
                in-flight: reject
                retention: 36h
              - match: PUT /v1/accounts/{id}
                guarantee: at-least-once
            """);
        assertEquals(0, ended.code(), ended.err());
        says(
                ended.out(),
                "is valid",
                "127.0.0.1:8088",
                "http://10.0.0.7:9000",
                "The service API is served to this machine only",
                "POST /v1/charges",
                "refused (400)",
                "at most once",
                "at once (409)",
                "36h",
                "20s",
                "PUT /v1/accounts/{id}",
                "at least once",
                "* /**",
                "statuses: default\n",
                "the next attempt runs: 401 (not authenticated)",
                "the outcome is unknown: 502, 504; a proxy got no proper answer",
                "the outcome is unknown: 503, when an Envoy or Istio proxy made it itself",
                "statuses: default, as above");
    }

    @Test
    void what_a_route_promises_and_how_its_doubts_end_is_explained() throws Exception {
        Ended ended = check("""
            upstream: { url: "http://10.0.0.7:9000" }
            routes:
              - match: POST /v1/charges
                key: required
                key-from: "{header:X-Merchant}:{body:/invoice}"
                key-syntax: { min: 8, max: 64 }
                max-key-age: 7d
                probe: { get: "/v1/charges?idempotency_key={key}", found: 200, absent: [404, empty], outcome: /data/0 }
                statuses: strict
              - match: "PUT /v1/accounts/{id}"
                order: { version: "header:If-Match" }
            """);
        assertEquals(0, ended.code(), ended.err());
        says(
                ended.out(),
                "{header:X-Merchant}:{body:/invoice}",
                "8 to 64 characters",
                "older than 7d",
                "GET /v1/charges?idempotency_key={key}",
                "[200] means it happened",
                "nothing at /data/0",
                "header:If-Match",
                "the outcome is unknown: 429, when it has no Retry-After",
                "semel keys resolve");
    }

    @Test
    void a_probe_that_does_not_tell_tenants_apart_is_warned_of_when_checked_and_when_served() throws Exception {
        String yaml = """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            store: "memory:"
            accept-lost-keys: true
            tenant: { header: X-Api-Key }
            upstream: { url: "http://10.0.0.7:9000" }
            routes:
              - match: POST /v1/charges
                probe: { get: "/v1/charges/{key}" }
            """;
        Ended checked = check(yaml);
        assertEquals(0, checked.code(), checked.err());
        says(checked.out(), "Warning: the probe of 'POST /v1/charges'", "two tenants", "{body:/merchant}");
        try (SemelProcess process =
                SemelProcess.start("serve", "--config", write(yaml).toString())) {
            process.awaitError("semel: admin on ");
            says(process.errorSoFar(), "semel: warning: the probe of 'POST /v1/charges'");
        }
    }

    @Test
    void a_promise_that_the_store_cannot_keep_is_refused_until_the_operator_says_so() throws Exception {
        String unkept = """
            upstream: { url: "http://10.0.0.7:9000" }
            store: "memory:"
            """;
        Ended refused = check(unkept);
        assertEquals(1, refused.code());
        says(refused.out(), "will not start", "at-most-once", "accept-lost-keys: true");
        assertEquals(0, check(unkept + "accept-lost-keys: true\n").code());
    }

    @Test
    void problems_of_probes_orders_and_keys_are_told_with_their_place() throws Exception {
        Ended ended = check("""
            upstream: { url: "http://10.0.0.7:9000" }
            routes:
              - match: POST /a
                guarantee: at-least-once
                probe: { get: "/a/{key}" }
              - match: POST /b
                probe: { get: "/b/{key}", post: "/b/{key}" }
              - match: POST /c
                probe: { get: "/c/{id}", found: 20x, absent: empty, attempts: many }
              - match: POST /d
                order: { version: If-Match }
                key-from: "{header:X}{body:/y}"
                key-syntax: { pattern: "[" }
                max-key-age: 0s
              - match: POST /e
                order: {}
            """);
        assertEquals(2, ended.code(), ended.err());
        says(
                ended.err(),
                ":5:12: ",
                "never in doubt",
                ":7:12: ",
                "either 'get' or 'post'",
                ":9:19: ",
                ":9:37: ",
                "20x",
                "needs 'outcome'",
                "many",
                ":11:23: ",
                ":12:15: ",
                ":13:17: ",
                ":14:18: ",
                ":16:12: ",
                "order needs 'version'");
    }

    @Test
    void every_problem_of_a_file_is_told_with_its_place_in_one_run() throws Exception {
        Ended ended = check("""
            listen: 127.0.0.1:99999
            colour: red
            tenant: { issuer: me }
            store: ${NO_SUCH_VARIABLE}
            upstream: { url: "ftp://127.0.0.1", timeout: 30 }
            routes:
              - match: POST /v1/charges
                lease: half a minute
                retention: 0s
                tombstone: 99999d
                probe: { get: /v1/charges }
                guarantee: joined
              - key: required
              - match: "POST v1"
                statuses: nice
                limits: { request: 1MB }
                in-flight: wait
              - match: POST /v1/refunds
                key: sometimes
                key: off
            """);
        assertEquals(2, ended.code(), ended.err());
        assertEquals(
                List.of(
                        "1:9 99999",
                        "2:1 colour",
                        "3:9 tenant",
                        "4:8 NO_SUCH_VARIABLE",
                        "5:18 ftp",
                        "5:46 30",
                        "8:12 half a minute",
                        "9:16 0s",
                        "10:16 99999d",
                        "11:19 probe",
                        "12:16 joined",
                        "13:5 match",
                        "14:12 POST v1",
                        "15:15 nice",
                        "16:24 1MB",
                        "17:16 wait",
                        "20:5 twice"),
                places(ended.err()),
                ended.err());
    }

    /** Where the problems are, each with the word in its message that matters. */
    private static List<String> places(String told) {
        List<String> words = List.of(
                "99999d",
                "99999",
                "colour",
                "tenant",
                "NO_SUCH_VARIABLE",
                "ftp",
                "'30'",
                "half a minute",
                "0s",
                "probe",
                "joined",
                "'match'",
                "POST v1",
                "nice",
                "1MB",
                "wait",
                "twice");
        List<String> places = new ArrayList<>();
        Matcher line = Pattern.compile("semel\\.yml:(\\d+:\\d+): (.*)").matcher(told);
        while (line.find()) {
            String message = line.group(2);
            String word = words.stream().filter(message::contains).findFirst().orElse(message);
            places.add(line.group(1) + " " + word.replace("'", ""));
        }
        places.sort((a, b) -> Integer.compare(lineOf(a), lineOf(b)));
        return places;
    }

    private static int lineOf(String place) {
        return Integer.parseInt(place.substring(0, place.indexOf(':')));
    }

    @Test
    void what_is_no_yaml_is_told_with_its_place() throws Exception {
        Ended ended = check("listen: [\nupstream: }\n");
        assertEquals(2, ended.code());
        says(ended.err(), "semel.yml:2:", "not valid YAML");
        assertEquals(2, check("").code());
    }

    @Test
    void a_broken_file_is_not_served() throws Exception {
        Ended ended = run(
                Map.of(),
                "serve",
                "--config",
                write("upstream: { url: nowhere }").toString());
        assertEquals(2, ended.code());
        says(ended.err(), "semel.yml:1:18: ");
    }

    @Test
    void flags_win_over_variables_and_these_over_the_file() throws Exception {
        try (CountingUpstream flagged = CountingUpstream.start();
                CountingUpstream unused = CountingUpstream.start()) {
            int fromFlag = FreePort.pick();
            int fromVariable = FreePort.pick();
            Path config = write("""
                listen: 127.0.0.1:1
                admin: { listen: 127.0.0.1:1 }
                store: rocksdb:%s
                upstream: { url: "%s" }
                """.formatted(folder.resolve("from-file"), unused.url()));
            Map<String, String> variables = Map.of(
                    "SEMEL_CONFIG",
                    config.toString(),
                    "SEMEL_UPSTREAM",
                    unused.url().toString(),
                    "SEMEL_LISTEN",
                    "127.0.0.1:2",
                    "SEMEL_ADMIN",
                    "http://127.0.0.1:" + fromVariable + "/");
            try (SemelProcess process = SemelProcess.start(
                    variables, "serve", "--upstream", flagged.url().toString(), "--listen", "127.0.0.1:" + fromFlag)) {
                process.awaitError("semel: admin on ");
                try (Client client = new Client(fromFlag)) {
                    assertEquals(201, client.order("whose").status());
                }
                assertEquals(200, Client.get(fromVariable, "/readyz").status());
                try (SemelProcess keys = SemelProcess.start(variables, "keys", "get", "whose")) {
                    says(keys.ended().out(), "POST /v1/orders", "done");
                }
            }
            assertEquals(1, flagged.effects());
            assertEquals(0, unused.effects());
            assertTrue(Files.isDirectory(folder.resolve("from-file")), "the store of the file was not used");
        }
    }

    @Test
    void a_url_from_elsewhere_leaves_the_other_settings_of_the_upstream_alone() throws Exception {
        Path config = write("""
            upstream: { url: "http://10.0.0.7:9000", timeout: 77s }
            routes:
              - match: POST /v1/charges
                probe: { get: "/v1/charges/{key}" }
            """);
        for (List<String> flags : List.of(List.<String>of(), List.of("--upstream", "http://10.0.0.8:9000"))) {
            List<String> line = new ArrayList<>(List.of("check", config.toString()));
            line.addAll(flags);
            Ended ended = run(Map.of("SEMEL_UPSTREAM", "http://10.0.0.9:9000"), line.toArray(String[]::new));
            assertEquals(0, ended.code(), ended.err());
            String url = flags.isEmpty() ? "http://10.0.0.9:9000" : "http://10.0.0.8:9000";
            says(ended.out(), "Requests go to [" + url + "]", "time-out of 77s");
        }
    }

    @Test
    void what_serve_takes_besides_the_file_check_takes_too() throws Exception {
        String file = write("store: 'memory:'\n").toString();
        Ended none = run(Map.of(), "check", file);
        assertEquals(2, none.code());
        says(none.err(), "there is no upstream", "--upstream");
        Ended flagged = run(
                Map.of("SEMEL_UPSTREAM", "http://10.0.0.9", "SEMEL_LISTEN", "127.0.0.1:81", "SEMEL_CONFIG", "nowhere"),
                "check",
                file,
                "--upstream",
                "http://10.0.0.8",
                "--admin",
                "127.0.0.1:82",
                "--accept-lost-keys");
        assertEquals(0, flagged.code(), flagged.err() + flagged.out());
        says(flagged.out(), "http://10.0.0.8]", "127.0.0.1:81,", "127.0.0.1:82 ", "memory:");
        Ended stored = run(Map.of("SEMEL_UPSTREAM", "http://h", "SEMEL_STORE", "rocksdb:./other"), "check", file);
        assertEquals(0, stored.code(), stored.err() + stored.out());
        says(stored.out(), "rocksdb:./other");
    }

    @Test
    void an_empty_variable_is_not_given() throws Exception {
        Map<String, String> empty = Map.of(
                "SEMEL_UPSTREAM", "", "SEMEL_LISTEN", "", "SEMEL_ADMIN", "", "SEMEL_STORE", "", "SEMEL_CONFIG", "");
        Ended ended = run(
                empty, "check", write("upstream: { url: \"http://10.0.0.7\" }").toString());
        assertEquals(0, ended.code(), ended.err());
        says(ended.out(), "http://10.0.0.7]", "127.0.0.1:8080", "127.0.0.1:8081", "rocksdb:./semel-data");
        Ended serve = run(empty, "serve");
        assertEquals(2, serve.code());
        says(serve.err(), "There is no upstream");
    }

    @Test
    void addresses_that_get_in_each_others_way_are_refused() throws Exception {
        for (String addresses : List.of(
                "--listen 127.0.0.1:8081",
                "--admin localhost:8080",
                "--listen 0.0.0.0:8081",
                "--upstream http://127.0.0.1:8080",
                "--upstream http://localhost:8081/api",
                "--listen 127.0.0.1:80 --upstream http://127.0.0.1",
                "--listen 0.0.0.0:9 --upstream http://localhost:9")) {
            Ended ended = checked(addresses);
            assertEquals(2, ended.code(), addresses + ended.out());
            says(ended.err(), addresses.contains("upstream") ? "is this gateway" : "cannot share one address");
        }
        for (String addresses : List.of(
                "--listen 127.0.0.2:8081",
                "--listen 127.0.0.1:0 --admin 127.0.0.1:0",
                "--listen 0.0.0.0:9 --upstream http://10.0.0.7:9"))
            assertEquals(0, checked(addresses).code(), addresses);
    }

    private Ended checked(String addresses) throws Exception {
        Path file = write("upstream: { url: 'http://10.0.0.7:9000' }");
        List<String> line = new ArrayList<>(List.of("check", file.toString()));
        line.addAll(List.of(addresses.split(" ")));
        return SemelShell.run(line.toArray(String[]::new));
    }

    @Test
    void what_is_promised_is_what_the_routing_keeps() throws Exception {
        Path file = write("""
            upstream: { url: "http://10.0.0.7:9000" }
            routes:
              - match: PUT /v1/accounts/{id}
                key: off
                order: { version: "header:If-Match" }
              - match: GET /v1/accounts/{id}
              - match: POST /**
              - match: POST /v1/charges
                key: required
            """);
        Ended ended = SemelShell.run("check", file.toString());
        assertEquals(2, ended.code(), ended.out());
        says(ended.err(), "semel.yml:8:12: ", "no request can reach 'POST /v1/charges'", "line 7");
        Files.writeString(file, Files.readString(file).replaceFirst("(?s)  - match: POST /v1.*", ""));
        Ended fixed = SemelShell.run("check", file.toString());
        assertEquals(0, fixed.code(), fixed.err());
        says(fixed.out(), "takes no key", "a write is refused (409)", "GET requests pass through");
        assertFalse(fixed.out().contains("GET /v1/accounts/{id}\n  a request without"), fixed.out());
    }

    @Test
    void routes_that_nothing_can_reach_are_neither_explained_nor_promised() throws Exception {
        Ended ended = check("""
            upstream: { url: "http://10.0.0.7:9000" }
            store: "memory:"
            routes:
              - match: "* /**"
                guarantee: at-least-once
            """);
        assertEquals(0, ended.code(), ended.out() + ended.err());
        says(ended.out(), "* /**", "at least once");
        assertFalse(ended.out().contains("POST /**"), ended.out());
        assertFalse(ended.out().contains("passes through"), ended.out());
    }

    @Test
    void webhooks_are_explained_and_need_postgresql() throws Exception {
        String webhooks = """
            upstream: { url: "http://10.0.0.7:9000" }
            webhooks:
              - path: /hooks/stripe
                scheme: stripe
                secrets: [ "whsec_very_secret", "whsec_${UPSTREAM_HOST}" ]
                deliver: { path: /internal/stripe, key: /data/object/customer }
            """;
        Ended ended = check("store: jdbc:postgresql://db/semel\n" + webhooks);
        assertEquals(0, ended.code(), ended.err());
        says(
                ended.out(),
                "POST /hooks/stripe",
                "verified as stripe signs, with 2 secrets; at most 5m old",
                "the same id within 30d is a duplicate",
                "delivered to /internal/stripe",
                "the same /data/object/customer",
                "nobody else can send there");
        assertFalse(ended.out().contains("very_secret"), ended.out());
        Ended elsewhere = check(webhooks);
        assertEquals(2, elsewhere.code());
        says(elsewhere.err(), ":3:3: 'webhooks' needs a store in PostgreSQL", "rocksdb:./semel-data");
        assertFalse(elsewhere.err().contains("very_secret"), elsewhere.err());
    }

    private Ended check(String yaml) throws Exception {
        return run(Map.of("UPSTREAM_HOST", "10.0.0.7"), "check", write(yaml).toString());
    }

    private Path write(String yaml) throws Exception {
        return Files.writeString(folder.resolve("semel.yml"), yaml);
    }

    private static Ended run(Map<String, String> variables, String... arguments) throws Exception {
        try (SemelProcess process = SemelProcess.start(variables, arguments)) {
            return process.ended();
        }
    }

    private static void says(String text, String... parts) {
        for (String part : parts) assertTrue(text.contains(part), () -> "no '" + part + "' in:\n" + text);
    }
}
