package dev.semel.gateway;

import static dev.semel.gateway.ServiceClient.CLAIMS;
import static dev.semel.gateway.ServiceClient.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.gateway.ServiceClient.Answer;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.HostPort;
import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.testkit.FlakyKeyStore;
import dev.semel.testkit.HandClock;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The service API over real sockets. Every answer is also held against the published description. */
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class ServiceApiTest {
    private static final AtomicInteger KEYS = new AtomicInteger();
    private static final int MIB = 1024 * 1024;

    private static HandClock clock;
    private static FlakyKeyStore store;
    private static WatchedStore watched;
    private static Gateway gateway;
    private static ServiceClient client;

    @BeforeAll
    static void start() throws Exception {
        clock = new HandClock();
        store = new FlakyKeyStore(new InMemoryKeyStore(clock));
        watched = new WatchedStore();
        gateway = Gateway.start(config(), watched.around(store));
        client = new ServiceClient(gateway.port());
    }

    @AfterAll
    static void stop() {
        if (client != null) client.close();
        if (gateway != null) gateway.close();
    }

    private static GatewayConfig config() {
        HostPort anywhere = new HostPort("127.0.0.1", 0);
        UpstreamSettings nowhere = new UpstreamSettings(
                List.of(URI.create("http://127.0.0.1:1")), Duration.ofSeconds(1), Duration.ofSeconds(1), null, true);
        return GatewayConfig.of(nowhere)
                .withListen(anywhere)
                .withAdmin(anywhere)
                .acceptingLostKeys();
    }

    private static String newKey() {
        return "k-" + KEYS.incrementAndGet();
    }

    private static String order(String key, String more) {
        return "{\"operation\": \"charge\", \"key\": \"" + key + "\"" + more + "}";
    }

    private static String order(String key) {
        return order(key, ", \"payload\": {\"amount\": 1999}");
    }

    private static String again(String key) {
        return order(key, ", \"payload\": {\"amount\": 1999}, \"guarantee\": \"at-least-once\"");
    }

    private static Answer status(String key) throws Exception {
        return client.send("GET", "/.semel/v1/keys/" + key + "?operation=charge", "", "");
    }

    @Nested
    @Order(1)
    class Claiming {
        @Test
        void the_first_claim_runs_and_all_others_get_its_outcome() throws Exception {
            String key = newKey();
            Answer granted = client.claim(order(key)).is(201);
            assertEquals(1, granted.json().path("attempt").asInt());
            assertTrue(granted.json().path("token").isIntegralNumber());
            assertEquals(clock.instant().plusSeconds(30), Instant.parse(granted.get("leaseUntil")));
            assertEquals(at(granted), granted.header("Location"));
            assertEquals("in-progress", status(key).is(200).get("state"));

            Answer running = client.claim(order(key)).is(409, "in-progress");
            assertEquals("1", running.header("Retry-After"));
            Answer done = client.complete(granted, "{\"charge\": \"ch_1\"}").is(200);
            assertEquals("done", done.get("state"));
            assertEquals(clock.instant().plus(Duration.ofHours(24)), Instant.parse(done.get("expires")));

            assertEquals(
                    "{\"outcome\":{\"charge\": \"ch_1\"}}",
                    client.claim(order(key)).is(200).text());
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "null",
                    "true",
                    "0",
                    "-1.50e+3",
                    "\"\"",
                    "\"caf\u00e9 \\u00e9 \\ud83d\"",
                    "[]",
                    "{}",
                    " [ 1 ,\n2.0 ] ",
                    "{ \"b\" : {\"b\":1, \"b\":2} , \"a\" : [ \"\\\"}\" ] }",
                    "12345678901234567890123456789.000"
                })
        void an_outcome_is_given_back_byte_for_byte(String outcome) throws Exception {
            String key = newKey();
            client.complete(client.claim(order(key)).is(201), outcome).is(200);
            assertEquals(
                    "{\"outcome\":" + outcome.strip() + "}",
                    client.claim(order(key)).is(200).text());
            assertTrue(status(key).is(200).text().endsWith(",\"outcome\":" + outcome.strip() + "}"));
        }

        @Test
        void the_largest_outcome_is_kept_and_a_larger_one_refused() throws Exception {
            String key = newKey();
            Answer granted = client.claim(order(key)).is(201);
            client.complete(granted, "\"" + "x".repeat(4 * MIB - 1) + "\"").is(413, "body-too-large");
            client.complete(granted, "\"" + "x".repeat(4 * MIB - 2) + "\"").is(200);
            assertEquals(4 * MIB + 12, client.claim(order(key)).is(200).text().length());
        }

        @Test
        void the_same_payload_in_another_spelling_is_the_same() throws Exception {
            String key = newKey();
            client.claim(order(key, ", \"payload\": {\"a\": 1.0, \"b\": \"\\u0041\"}"))
                    .is(201);
            client.claim(order(key, ", \"payload\": { \"b\":\"A\", \"a\":1 }")).is(409, "in-progress");
            client.claim(order(key, ", \"payload\": {\"a\": 2, \"b\": \"A\"}")).is(422, "key-reused");
            client.claim(order(key, ", \"fingerprint\": \"f\"")).is(422, "key-reused");
        }

        @Test
        void a_fingerprint_of_the_callers_own_is_compared_as_it_is() throws Exception {
            String key = newKey();
            Answer granted =
                    client.claim(order(key, ", \"fingerprint\": \"v1:abc\"")).is(201);
            client.claim(order(key, ", \"fingerprint\": \"v1:abc\"")).is(409, "in-progress");
            client.claim(order(key, ", \"fingerprint\": \"v1:abd\"")).is(422, "key-reused");
            client.release(granted).is(200);
            client.claim(order(key, ", \"fingerprint\": \"v1:abd\"")).is(422, "key-reused");
        }

        @Test
        void the_same_key_in_another_operation_is_another_key() throws Exception {
            String key = newKey();
            client.claim(order(key)).is(201);
            client.claim("{\"operation\": \"r\u00e9f\u00fand /\\ud83d\\ude00\", \"key\": \"" + key
                            + "\", \"payload\": null}")
                    .is(201);
        }

        @Test
        void of_many_claims_at_once_one_is_granted() throws Exception {
            String key = newKey();
            List<CompletableFuture<Answer>> claims = new ArrayList<>();
            for (int i = 0; i < 64; i++) claims.add(client.start("POST", CLAIMS, order(key)));
            int granted = 0;
            for (CompletableFuture<Answer> claim : claims) {
                Answer answer = claim.get(30, TimeUnit.SECONDS);
                if (answer.status() == 201) granted++;
                else answer.is(409, "in-progress");
            }
            assertEquals(1, granted);
        }
    }

    @Nested
    @Order(2)
    class Waiting {
        @Test
        void a_waiting_claim_is_woken_by_the_outcome() throws Exception {
            String key = newKey();
            Answer granted = client.claim(order(key)).is(201);
            CompletableFuture<Answer> waiting =
                    client.start("POST", CLAIMS, order(key, ", \"payload\": {\"amount\": 1999}, \"wait\": \"60s\""));
            watched.awaitLooks(key, 1);
            assertFalse(waiting.isDone());
            client.complete(granted, "7").is(200);
            assertEquals(
                    "{\"outcome\":7}", waiting.get(30, TimeUnit.SECONDS).is(200).text());
        }

        @Test
        void a_waiting_claim_is_granted_what_was_released() throws Exception {
            String key = newKey();
            Answer granted = client.claim(order(key)).is(201);
            CompletableFuture<Answer> waiting =
                    client.start("POST", CLAIMS, order(key, ", \"payload\": {\"amount\": 1999}, \"wait\": 60"));
            watched.awaitLooks(key, 1);
            client.release(granted).is(200);
            Answer second = waiting.get(30, TimeUnit.SECONDS).is(201);
            assertEquals(2, second.json().path("attempt").asInt());
            assertTrue(second.token() > granted.token());
        }

        @Test
        void a_wait_ends() throws Exception {
            String key = newKey();
            client.claim(order(key)).is(201);
            client.claim(order(key, ", \"payload\": {\"amount\": 1999}, \"wait\": 0.05"))
                    .is(409, "in-progress");
        }

        @Test
        void so_many_may_wait_and_no_more() throws Exception {
            String key = newKey();
            String patient = order(key, ", \"payload\": {\"amount\": 1999}, \"wait\": \"60s\"");
            Answer granted = client.claim(order(key)).is(201);
            List<CompletableFuture<Answer>> waiting = new ArrayList<>();
            for (int i = 0; i < 256; i++) waiting.add(client.start("POST", CLAIMS, patient));
            watched.awaitLooks(key, 256);
            assertEquals("1", client.claim(patient).is(429, "too-many-waiters").header("Retry-After"));
            client.complete(granted, "[]").is(200);
            for (CompletableFuture<Answer> answer : waiting)
                assertEquals(
                        "{\"outcome\":[]}",
                        answer.get(30, TimeUnit.SECONDS).is(200).text());
        }
    }

    @Nested
    @Order(3)
    class Holding {
        @Test
        void a_killed_holder_leaves_a_doubt_that_its_late_answer_ends() throws Exception {
            String key = newKey();
            Answer granted = client.claim(order(key)).is(201);
            clock.advance(Duration.ofSeconds(31));
            Answer unknown = client.claim(order(key)).is(409, "outcome-unknown");
            assertEquals("/.semel/v1/keys/" + key + "?operation=charge", unknown.header("Location"));
            Answer asked =
                    client.send("GET", unknown.header("Location"), "", "").is(200);
            assertEquals("in-doubt", asked.get("state"));
            client.renew(granted, "30s").is(412, "superseded");
            assertEquals("in-doubt", client.doubt(granted, "the same").is(200).get("state"));

            client.complete(granted, "\"late\"").is(200);
            assertEquals(
                    "{\"outcome\":\"late\"}", client.claim(order(key)).is(200).text());
        }

        @Test
        void a_renewed_lease_lasts_longer() throws Exception {
            String key = newKey();
            Answer granted = client.claim(order(key, ", \"payload\": {\"amount\": 1999}, \"lease\": \"10s\""))
                    .is(201);
            assertEquals(clock.instant().plusSeconds(10), Instant.parse(granted.get("leaseUntil")));
            clock.advance(Duration.ofSeconds(9));
            Answer renewed = client.renew(granted, "20s").is(200);
            assertEquals(clock.instant().plusSeconds(20), Instant.parse(renewed.get("leaseUntil")));
            clock.advance(Duration.ofSeconds(19));
            client.claim(order(key)).is(409, "in-progress");
            clock.advance(Duration.ofSeconds(1));
            client.claim(order(key)).is(409, "outcome-unknown");
        }

        @Test
        void at_least_once_is_taken_over_and_the_old_holder_changes_nothing() throws Exception {
            String key = newKey();
            Answer old = client.claim(again(key)).is(201);
            client.claim(again(key)).is(409, "in-progress");
            clock.advance(Duration.ofSeconds(31));
            Answer young = client.claim(again(key)).is(201);
            assertEquals(2, young.json().path("attempt").asInt());
            assertTrue(young.token() > old.token());

            Answer refused = client.complete(old, "\"old\"").is(412, "superseded");
            assertEquals("/.semel/v1/keys/" + key + "?operation=charge", refused.header("Location"));
            client.renew(old, "30s").is(412, "superseded");
            client.doubt(old, "?").is(412, "superseded");
            client.release(old).is(412, "superseded");
            client.complete(young, "\"young\"").is(200);
            client.complete(old, "\"old\"").is(412, "superseded");
            assertEquals(
                    "{\"outcome\":\"young\"}", client.claim(again(key)).is(200).text());
        }

        @Test
        void to_say_the_same_twice_is_fine_and_to_say_something_else_is_not() throws Exception {
            Answer granted = client.claim(order(newKey())).is(201);
            String first = client.complete(granted, "{\"a\": 1}").is(200).text();
            clock.advance(Duration.ofHours(1));
            assertEquals(first, client.complete(granted, "{\"a\": 1}").is(200).text());
            client.complete(granted, "{\"a\": 2}").is(412, "superseded");
            client.release(granted).is(412, "superseded");
            client.doubt(granted, "?").is(412, "superseded");
            client.renew(granted, "30s").is(412, "superseded");
        }

        @Test
        void what_did_not_run_may_run_again() throws Exception {
            String key = newKey();
            Answer granted = client.claim(order(key)).is(201);
            assertEquals("{\"state\":\"free\"}", client.release(granted).is(200).text());
            client.release(granted).is(200);
            assertEquals("free", status(key).get("state"));
            assertEquals(
                    2, client.claim(order(key)).is(201).json().path("attempt").asInt());
            client.complete(granted, "1").is(412, "superseded");
            client.release(granted).is(412, "superseded");
        }

        @Test
        void a_holder_that_knows_better_is_heard_as_long_as_nobody_else_was_let_in() throws Exception {
            String sent = newKey();
            Answer late = client.claim(order(sent)).is(201);
            client.release(late).is(200);
            client.complete(late, "\"it ran after all\"").is(200);
            assertEquals("done", status(sent).get("state"));
            String unsent = newKey();
            Answer silent = client.claim(order(unsent)).is(201);
            clock.advance(Duration.ofSeconds(31));
            client.claim(order(unsent)).is(409, "outcome-unknown");
            client.release(silent).is(200);
            client.claim(order(unsent)).is(201);
        }

        @Test
        void a_doubt_is_told_and_ended_by_its_holder() throws Exception {
            String key = newKey();
            Answer granted = client.claim(order(key)).is(201);
            assertEquals(
                    "{\"state\":\"in-doubt\"}",
                    client.doubt(granted, "no answer").is(200).text());
            assertEquals("no answer", status(key).get("reason"));
            assertTrue(client.claim(order(key))
                    .is(409, "outcome-unknown")
                    .get("detail")
                    .contains("no answer"));
            client.complete(granted, "1").is(200);
            client.claim(order(key)).is(200);
        }

        @Test
        void a_doubt_frees_what_may_run_again() throws Exception {
            String key = newKey();
            Answer granted = client.claim(again(key)).is(201);
            assertEquals(
                    "{\"state\":\"free\"}",
                    client.doubt(granted, "no answer").is(200).text());
            client.claim(again(key)).is(201);
        }

        @Test
        void past_its_retention_a_key_is_spent_and_in_the_end_forgotten() throws Exception {
            String key = newKey();
            Answer granted = client.claim(order(key)).is(201);
            String body = "{\"token\": " + granted.token() + ", \"outcome\": 1, \"retention\": \"2d\"}";
            Answer done = client.send("PUT", at(granted) + "/outcome", body).is(200);
            assertEquals(clock.instant().plus(Duration.ofDays(2)), Instant.parse(done.get("expires")));
            clock.advance(Duration.ofDays(2));
            client.claim(order(key)).is(410, "key-spent");
            assertEquals("spent", status(key).get("state"));
            clock.advance(Duration.ofDays(30));
            status(key).is(404, "key-unknown");
            Answer anew = client.claim(order(key)).is(201);
            assertTrue(anew.token() > granted.token());
            client.complete(granted, "1").is(412, "superseded");
        }
    }

    @Nested
    @Order(4)
    class Misuse {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '~',
                value = {
                    "bad-request | /operation | {'key': 'k', 'payload': 1}",
                    "bad-request | /operation | {'operation': '', 'key': 'k', 'payload': 1}",
                    "bad-request | /operation | {'operation': 7, 'key': 'k', 'payload': 1}",
                    "bad-request | /operation | {'operation': null, 'key': 'k', 'payload': 1}",
                    "bad-request | /operation | {'operation': 'semel:x', 'key': 'k', 'payload': 1}",
                    "bad-request | /operation | {'operation': 'a\\u0000b', 'key': 'k', 'payload': 1}",
                    "bad-request | /operation | {'operation': 'a\\ud800', 'key': 'k', 'payload': 1}",
                    "key-missing | /key | {'operation': 'o', 'payload': 1}",
                    "bad-request | /key | {'operation': 'o', 'key': 1, 'payload': 1}",
                    "key-malformed | /key | {'operation': 'o', 'key': '', 'payload': 1}",
                    "key-malformed | /key | {'operation': 'o', 'key': 'a b', 'payload': 1}",
                    "key-malformed | /key | {'operation': 'o', 'key': 'a\\n', 'payload': 1}",
                    "key-malformed | /key | {'operation': 'o', 'key': 'é', 'payload': 1}",
                    "bad-request | /payload | {'operation': 'o', 'key': 'k'}",
                    "bad-request | /fingerprint | {'operation': 'o', 'key': 'k', 'payload': 1, 'fingerprint': 'f'}",
                    "bad-request | /fingerprint | {'operation': 'o', 'key': 'k', 'fingerprint': ''}",
                    "bad-request | /fingerprint | {'operation': 'o', 'key': 'k', 'fingerprint': ['f']}",
                    "bad-request | /lease | {'operation': 'o', 'key': 'k', 'payload': 1, 'lease': '99ms'}",
                    "bad-request | /lease | {'operation': 'o', 'key': 'k', 'payload': 1, 'lease': '61m'}",
                    "bad-request | /lease | {'operation': 'o', 'key': 'k', 'payload': 1, 'lease': 1e999}",
                    "bad-request | /lease | {'operation': 'o', 'key': 'k', 'payload': 1, 'lease': -1}",
                    "bad-request | /lease | {'operation': 'o', 'key': 'k', 'payload': 1, 'lease': '30'}",
                    "bad-request | /lease | {'operation': 'o', 'key': 'k', 'payload': 1, 'lease': true}",
                    "bad-request | /wait | {'operation': 'o', 'key': 'k', 'payload': 1, 'wait': '61s'}",
                    "bad-request | /wait | {'operation': 'o', 'key': 'k', 'payload': 1, 'wait': {}}",
                    "bad-request | /guarantee | {'operation': 'o', 'key': 'k', 'payload': 1, 'guarantee': 'maybe'}",
                    "bad-request | /guarantee | {'operation': 'o', 'key': 'k', 'payload': 1, 'guarantee': false}",
                    "bad-request | /re~1~0try | {'operation': 'o', 'key': 'k', 'payload': 1, 're/~try': 1}",
                    "bad-request | /key | {'operation': 'o', 'key': 'k', 'key': 'k', 'payload': 1}",
                })
        void a_claim_with_a_flaw_is_told_where_it_is(String problem, String pointer, String body) throws Exception {
            Answer refused = client.claim(body.replace('\'', '"')).is(400, problem);
            assertEquals(pointer, refused.get("pointer"), refused.text());
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "{", "[]", "7", "{} {}", "{'operation': 'o' 'key': 'k'}", "{'payload': 01}", "{,}"})
        void what_is_no_json_object_is_refused(String body) throws Exception {
            client.claim(body.replace('\'', '"')).is(400, "bad-request");
        }

        @Test
        void names_at_their_longest_are_taken_and_longer_ones_refused() throws Exception {
            String body = "{\"operation\": \"%s\", \"key\": \"%s\", \"fingerprint\": \"%s\"}";
            Answer longest = client.claim(body.formatted("é".repeat(512), "~".repeat(255), "f".repeat(512)))
                    .is(201);
            client.complete(longest, "1").is(200);
            client.claim(body.formatted("o".repeat(513), "k", "f")).is(400, "bad-request");
            client.claim(body.formatted("POST /" + "é".repeat(506), "k", "f")).is(400, "bad-request");
            client.claim(body.formatted("€".repeat(400), "k", "f")).is(400, "bad-request");
            client.claim(body.formatted("o", "k".repeat(256), "f")).is(400, "key-malformed");
            client.claim(body.formatted("o", "k", "f".repeat(513))).is(400, "bad-request");
        }

        @Test
        void a_hostile_body_gets_an_answer() throws Exception {
            String deep = "[".repeat(400) + "]".repeat(400);
            client.claim(order(newKey(), ", \"payload\": " + deep)).is(201);
            client.claim(order(newKey(), ", \"payload\": " + "[".repeat(100_000) + "]".repeat(100_000)))
                    .is(400);
            client.claim(order(newKey(), ", \"payload\": 1" + "0".repeat(900))).is(201);
            client.claim(order(newKey(), ", \"payload\": 1, \"lease\": 1" + "0".repeat(900_000)))
                    .is(400);
            client.claim("{\"" + "n".repeat(900_000) + "\": 1}").is(400);
            client.claim("{\"\\ud800\": 1}").is(400, "bad-request");
            client.claim("{\"" + "n".repeat(99) + "\ud83d\ude00\": 1}").is(400, "bad-request");
            client.claim(order("k".repeat(900_000))).is(400, "key-malformed");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{}",
                    "{'token': '1'}",
                    "{'token': 1.0}",
                    "{'token': null}",
                    "{'token': 99999999999999999999}"
                })
        void a_token_is_a_whole_number(String body) throws Exception {
            Answer granted = client.claim(order(newKey())).is(201);
            String json = body.replace('\'', '"');
            for (String word : List.of("renew", "doubt"))
                assertEquals(
                        "/token",
                        client.send("POST", at(granted) + "/" + word, json)
                                .is(400)
                                .get("pointer"));
            assertEquals(
                    "/token",
                    client.send("PUT", at(granted) + "/outcome", json).is(400).get("pointer"));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '~',
                value = {
                    "PUT | outcome | /outcome | {'token': 1}",
                    "PUT | outcome | /retention | {'token': 1, 'outcome': 1, 'retention': '3651d'}",
                    "PUT | outcome | /retention | {'token': 1, 'outcome': 1, 'retention': '0s'}",
                    "PUT | outcome | /lease | {'token': 1, 'outcome': 1, 'lease': '1s'}",
                    "POST | renew | /lease | {'token': 1, 'lease': '2h'}",
                    "POST | renew | /outcome | {'token': 1, 'outcome': 1}",
                    "POST | doubt | /reason | {'token': 1, 'reason': ''}",
                    "POST | doubt | /reason | {'token': 1, 'reason': 5}",
                    "POST | doubt | /why | {'token': 1, 'why': 'x'}",
                })
        void a_word_with_a_flaw_is_told_where_it_is(String method, String word, String pointer, String body)
                throws Exception {
            Answer granted = client.claim(order(newKey())).is(201);
            Answer refused = client.send(method, at(granted) + "/" + word, body.replace('\'', '"'));
            assertEquals(pointer, refused.is(400, "bad-request").get("pointer"), refused.text());
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "?token=", "?token=x", "?token=1&token=1", "?Token=1"})
        void a_release_names_its_token(String query) throws Exception {
            Answer granted = client.claim(order(newKey())).is(201);
            client.send("DELETE", at(granted) + query, "", "").is(400, "bad-request");
        }

        @Test
        void a_token_that_was_never_given_changes_nothing() throws Exception {
            Answer granted = client.claim(order(newKey())).is(201);
            client.send("DELETE", at(granted) + "?token=" + (granted.token() + 1), "", "")
                    .is(412, "superseded");
            client.send("DELETE", at(granted) + "?token=-1", "", "").is(412, "superseded");
            client.renew(granted, "1s").is(200);
        }

        @Test
        void a_damaged_id_leads_nowhere() throws Exception {
            Answer granted = client.claim(order(newKey())).is(201);
            String id = granted.get("id");
            List<String> damaged = new ArrayList<>(List.of("x", id + "A", id + "=", id.substring(1), "AQAA", "%00"));
            for (int i = 0; i < id.length(); i++)
                damaged.add(id.substring(0, i) + (id.charAt(i) == 'A' ? 'B' : 'A') + id.substring(i + 1));
            for (String other : damaged) {
                String path = CLAIMS + "/" + other;
                client.send("DELETE", path + "?token=1", "", "").is(404, "claim-unknown");
                client.send("PUT", path + "/outcome", "{\"token\": 1, \"outcome\": 1}")
                        .is(404, "claim-unknown");
                client.send("POST", path + "/renew", "{\"token\": 1}").is(404, "claim-unknown");
                client.send("POST", path + "/doubt", "{\"token\": 1}").is(404, "claim-unknown");
            }
            client.complete(granted, "1").is(200);
        }

        @Test
        void only_json_is_taken() throws Exception {
            Answer granted = client.claim(order(newKey())).is(201);
            for (String type : List.of("text/plain", "application/json; charset=latin1", "json")) {
                client.send("POST", CLAIMS, order(newKey()), type).is(415, "unsupported-media-type");
                client.send("PUT", at(granted) + "/outcome", "{}", type).is(415, "unsupported-media-type");
                client.send("POST", at(granted) + "/renew", "{}", type).is(415, "unsupported-media-type");
                client.send("POST", at(granted) + "/doubt", "{}", type).is(415, "unsupported-media-type");
            }
            for (String type : List.of("", "Application/JSON;charset=UTF-8"))
                client.send("POST", CLAIMS, order(newKey()), type).is(201);
        }

        @Test
        void what_is_too_large_is_not_even_read() throws Exception {
            Answer granted = client.claim(order(newKey())).is(201);
            String large = "\"" + "x".repeat(MIB) + "\"";
            client.sendLarge("POST", CLAIMS, order(newKey(), ", \"payload\": " + large))
                    .is(413, "body-too-large");
            client.sendLarge("POST", at(granted) + "/renew", large).is(413, "body-too-large");
            client.sendLarge("POST", at(granted) + "/doubt", large).is(413, "body-too-large");
            client.sendLarge("PUT", at(granted) + "/outcome", large.repeat(5)).is(413, "body-too-large");
        }

        @Test
        void a_resource_says_which_methods_it_knows() throws Exception {
            Answer granted = client.claim(order(newKey())).is(201);
            for (String method : List.of("GET", "PUT", "DELETE", "PATCH"))
                assertEquals(
                        "POST",
                        client.send(method, CLAIMS, "{}")
                                .is(405, "method-not-allowed")
                                .header("Allow"));
            assertEquals(
                    "DELETE", client.send("GET", at(granted), "", "").is(405).header("Allow"));
            assertEquals(
                    "PUT",
                    client.send("GET", at(granted) + "/outcome", "", "").is(405).header("Allow"));
            assertEquals(
                    "POST",
                    client.send("PUT", at(granted) + "/renew", "{}").is(405).header("Allow"));
            assertEquals(
                    "POST",
                    client.send("DELETE", at(granted) + "/doubt", "", "")
                            .is(405)
                            .header("Allow"));
            assertEquals(
                    "GET, HEAD",
                    client.send("POST", "/.semel/v1/keys/k?operation=o", "{}")
                            .is(405)
                            .header("Allow"));
            assertEquals(
                    "GET, HEAD",
                    client.send("PUT", "/.semel/v1/openapi.json", "{}").is(405).header("Allow"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"/", "/x/y", "/x/y/z", "/x/outcome/", "//outcome"})
        void whatever_else_there_is_not(String path) throws Exception {
            client.send("POST", CLAIMS + path, "{}").is(404, "no-such-resource");
        }

        @Test
        void the_status_of_a_key_needs_its_operation() throws Exception {
            client.send("GET", "/.semel/v1/keys/k", "", "").is(400, "bad-request");
            client.send("GET", "/.semel/v1/keys/k?operation=never", "", "").is(404, "key-unknown");
        }
    }

    @Nested
    @Order(5)
    class WithoutItsStore {
        @Test
        void nothing_is_granted_and_every_word_has_to_be_said_again() throws Exception {
            String key = newKey();
            Answer granted = client.claim(order(key)).is(201);
            store.down(true);
            try {
                client.claim(order(newKey())).is(503, "store-unavailable");
                for (Answer unsaid : List.of(
                        client.complete(granted, "1"),
                        client.renew(granted, "30s"),
                        client.doubt(granted, "?"),
                        client.release(granted))) {
                    unsaid.is(503, "store-unavailable");
                    assertTrue(unsaid.get("detail").contains("Say it again"), unsaid.text());
                }
                status(key).is(503, "store-unavailable");
            } finally {
                store.down(false);
            }
            client.complete(granted, "1").is(200);
        }

        @Test
        void a_word_whose_recording_lost_its_answer_is_found_recorded() throws Exception {
            Answer granted = client.claim(order(newKey())).is(201);
            store.failWrites(FlakyKeyStore.Fault.LOST_AFTER);
            client.complete(granted, "1").is(200);
        }

        @Test
        void a_failure_that_nobody_thought_of_is_answered() throws Exception {
            String key = newKey();
            Answer granted = client.claim(order(key)).is(201);
            watched.broken(true);
            try {
                client.claim(order(newKey())).is(502, "outcome-unknown");
                client.complete(granted, "1").is(502, "outcome-unknown");
                client.renew(granted, "30s").is(502, "outcome-unknown");
                client.doubt(granted, "?").is(502, "outcome-unknown");
                client.release(granted).is(502, "outcome-unknown");
                status(key).is(502, "outcome-unknown");
            } finally {
                watched.broken(false);
            }
            client.complete(granted, "1").is(200);
        }
    }

    @Nested
    @Order(5)
    class WithTenants {
        private static final String TENANTS = "tenant: { header: X-Api-Key, quota: { keys: 1 } }";

        @Test
        void nobody_gets_anything_without_saying_who_he_is_and_nobody_more_than_his_share() throws Exception {
            try (Gateway guarded = gatewayWith(TENANTS);
                    ServiceClient alice = client.of(guarded.port(), "alice");
                    ServiceClient stranger = client.of(guarded.port(), "")) {
                Answer granted = alice.claim(order(newKey())).is(201);
                alice.claim(order(newKey())).is(429, "quota-exceeded");
                for (Answer refused : all(stranger, granted)) refused.is(401, "tenant-unknown");
                alice.complete(granted, "1").is(200);
            }
        }
    }

    private static Gateway gatewayWith(String setting) {
        String yaml = """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            accept-lost-keys: true
            upstream: { url: "http://127.0.0.1:1" }
            """ + setting;
        return switch (ConfigReader.read(yaml, "service.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig valid) -> Gateway.start(valid, new InMemoryKeyStore());
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    /** One request to each of its resources, and to the status of one of its keys. */
    private static List<Answer> all(ServiceClient asking, Answer granted) throws Exception {
        return List.of(
                asking.claim(order(newKey())),
                asking.complete(granted, "1"),
                asking.renew(granted, "30s"),
                asking.doubt(granted, "?"),
                asking.release(granted),
                asking.send("GET", "/.semel/v1/keys/k?operation=charge", "", ""));
    }

    @Nested
    @Order(5)
    class WithAToken {
        private static final String TOKEN = "0123456789abcdef";

        @Test
        void whoever_shows_it_is_served_and_nobody_else() throws Exception {
            try (Gateway guarded = gatewayWith("service: { token: " + TOKEN + " }");
                    ServiceClient friend = client.of(guarded.port(), "Authorization", "Bearer " + TOKEN)) {
                Answer granted = friend.claim(order("mine")).is(201);
                for (String shown : List.of("", "Bearer " + TOKEN + "0", "Bearer", "Bearer ", "Basic " + TOKEN, TOKEN))
                    try (ServiceClient stranger = client.of(guarded.port(), "Authorization", shown)) {
                        for (Answer refused : all(stranger, granted))
                            assertEquals(
                                    "Bearer",
                                    refused.is(401, "service-token-wrong").header("WWW-Authenticate"));
                        stranger.send("GET", "/.semel/v1/keys/k?operation=POST%20/v1/charges", "", "")
                                .is(404, "key-unknown");
                    }
                friend.send("GET", "/.semel/v1/keys/mine?operation=charge", "", "")
                        .is(200);
                friend.complete(granted, "1").is(200);
            }
        }

        @Test
        void tenants_show_it_beside_their_own_secret() throws Exception {
            String both = "service: { token: " + TOKEN + " }\ntenant: { header: X-Api-Key }";
            try (Gateway guarded = gatewayWith(both);
                    ServiceClient nameless = client.of(guarded.port(), "Authorization", "Bearer " + TOKEN);
                    ServiceClient outsider = client.of(guarded.port(), "alice")) {
                nameless.claim(order(newKey())).is(401, "tenant-unknown");
                outsider.claim(order(newKey())).is(401, "service-token-wrong");
            }
        }
    }

    @Nested
    @Order(5)
    class WhereItIsNotServed {
        @Test
        void every_request_is_told_so_and_requests_to_the_api_behind_are_not_concerned() throws Exception {
            Answer granted = client.claim(order(newKey())).is(201);
            try (Gateway without = gatewayWith("service: off");
                    ServiceClient stranger = client.of(without.port(), "")) {
                for (Answer refused : all(stranger, granted))
                    assertTrue(refused.is(403, "service-api-off").get("detail").contains("service: off"));
                stranger.send("GET", "/.semel/v1/keys/k?operation=POST%20/v1/charges", "", "")
                        .is(404, "key-unknown");
            }
        }
    }

    /** Last: what the others met is what the document says can be met. */
    @Nested
    @Order(6)
    class TheDescription {
        @Test
        void is_served_as_json() throws Exception {
            Answer document =
                    client.send("GET", "/.semel/v1/openapi.json", "", "").is(200);
            assertEquals("application/json", document.header("Content-Type"));
        }

        @Test
        void has_examples_that_are_what_they_say() throws Exception {
            assertTrue(client.document().checkExamples() >= 10);
        }
    }

    @Nested
    @Order(7)
    class Everything {
        @Test
        void that_the_description_lists_was_met_by_the_tests_above() {
            assertEquals(Set.of(), client.document().unseen());
        }
    }
}
