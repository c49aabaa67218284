package dev.semel.admin;

import static dev.semel.admin.AdminDesk.KEYS;
import static dev.semel.admin.AdminDesk.REFUNDS;
import static dev.semel.admin.AdminDesk.history;
import static dev.semel.admin.AdminDesk.problem;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Codec;
import dev.semel.core.Operation;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Outcome;
import dev.semel.testkit.FlakyKeyStore;
import dev.semel.testkit.FlakyKeyStore.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator may do to a key, what is refused, and what the audit hears of it. */
class RepairTest {
    private static final String HAPPENED = """
        {"did":"happen","reason":"the bank has it","by":"alice","response":{"status":201,
         "headers":[["X-Bank","7"],["Connection","close"],["Set-Cookie","a=b"]],"body":"{\\"id\\":\\"ch_1\\"}"}}\
        """;
    private static final String DID_NOT = "{\"did\":\"not-happen\",\"reason\":\"the bank knows nothing\"}";
    private static final String FORCE = "{\"reason\":\"it hangs\",\"by\":\"bob\",\"force\":true}";

    private AdminDesk desk;

    @BeforeEach
    void open() {
        desk = AdminDesk.open();
    }

    @AfterEach
    void close() {
        desk.close();
    }

    /** That nothing at all was changed about a key. */
    private void assertUntouched(Map<?, ?> before, String key) {
        assertEquals(before, desk.get(KEYS + "/" + key));
        assertEquals(List.of(), desk.audit);
    }

    @Test
    void a_doubt_that_did_happen_is_done_with_the_response_that_was_given() {
        long token = desk.doubt("k").token();
        Map<?, ?> resolved = desk.post(200, KEYS + "/k/resolve", HAPPENED);
        assertEquals("done", resolved.get("state"));
        assertEquals("alice: it did happen: the bank has it", history(resolved).getLast());
        Map<?, ?> response = (Map<?, ?>) desk.get(KEYS + "/k?body=true").get("response");
        assertEquals(201, response.get("status"));
        assertEquals(List.of(List.of("X-Bank", "7")), response.get("headers"));
        assertEquals("{\"id\":\"ch_1\"}", response.get("body"));
        assertEquals(
                List.of("alice | POST /v1/charges | " + token + " | resolved: it did happen | the bank has it"),
                desk.audited());
    }

    @Test
    void a_doubt_of_the_service_api_is_done_with_the_json_that_was_given() {
        desk.doubt("settle invoice", "k");
        assertEquals("json", desk.post(200, KEYS + "/k/resolve", HAPPENED).get("outcomeFormat"));
        assertEquals(Map.of("id", "ch_1"), desk.get(KEYS + "/k?body=true").get("outcome"));
    }

    @Test
    void a_doubt_of_an_operation_in_java_is_done_with_the_value_that_was_given() {
        Operation<String> charge = desk.semel.operation("charge", Codec.text());
        assertThrows(
                IllegalStateException.class,
                () -> charge.once("k", "ten", attempt -> {
                    throw new IllegalStateException("the bank hung up");
                }));
        String paid = "{\"did\":\"happen\",\"response\":{\"status\":200,\"body\":\"paid\"}}";
        assertEquals("value", desk.post(200, KEYS + "/k/resolve", paid).get("outcomeFormat"));
        assertEquals("paid", charge.once("k", "ten", attempt -> "again"));
    }

    @Test
    void what_did_happen_needs_no_reason_and_no_name() {
        long token = desk.doubt("k").token();
        String bare = "{\"did\":\"happen\",\"response\":{\"status\":200,\"bodyBase64\":\"AP+A\"}}";
        Map<?, ?> resolved = desk.post(200, KEYS + "/k/resolve", bare);
        assertEquals(
                "operator: it did happen: no reason was given",
                history(resolved).getLast());
        Map<?, ?> response = (Map<?, ?>) desk.get(KEYS + "/k?body=true").get("response");
        assertEquals("AP+A", response.get("bodyBase64"));
        assertEquals(
                List.of("operator | POST /v1/charges | " + token + " | resolved: it did happen | no reason was given"),
                desk.audited());
    }

    @Test
    void a_doubt_that_did_not_happen_is_free_for_the_next_attempt() {
        Lease first = desk.doubt("k");
        Map<?, ?> resolved = desk.post(200, KEYS + "/k/resolve", DID_NOT);
        assertEquals("free", resolved.get("state"));
        assertEquals(
                "operator: it did not happen: the bank knows nothing",
                history(resolved).getLast());
        assertEquals(
                List.of("operator | POST /v1/charges | " + first.token()
                        + " | resolved: it did not happen | the bank knows nothing"),
                desk.audited());
        assertTrue(desk.held("k").token() > first.token());
    }

    @Test
    void an_outcome_and_a_freed_key_are_kept_as_long_as_their_operation_says() {
        desk.doubt(REFUNDS, "k");
        Map<?, ?> done = desk.post(200, KEYS + "/k/resolve", HAPPENED);
        assertEquals(desk.time.instant().plus(Duration.ofDays(7)).toString(), done.get("expires"));
        assertEquals(desk.time.instant().plus(Duration.ofDays(97)).toString(), done.get("forgottenAt"));
        desk.doubt(REFUNDS, "given");
        String given = HAPPENED.replace("{\"did\"", "{\"retention\":\"2d\",\"tombstone\":\"12h\",\"did\"");
        Map<?, ?> shorter = desk.post(200, KEYS + "/given/resolve", given);
        assertEquals(desk.time.instant().plus(Duration.ofHours(48)).toString(), shorter.get("expires"));
        assertEquals(desk.time.instant().plus(Duration.ofHours(60)).toString(), shorter.get("forgottenAt"));
        for (String key : List.of("freed", "released", "forced")) desk.doubt(REFUNDS, key);
        desk.post(200, KEYS + "/freed/resolve", DID_NOT);
        desk.post(200, KEYS + "/released/release", "{\"reason\":\"r\"}");
        desk.post(200, KEYS + "/forced/release", FORCE);
        for (String key : List.of("freed", "released", "forced"))
            assertEquals(
                    desk.time.instant().plus(Duration.ofDays(7)).toString(),
                    desk.get(KEYS + "/" + key).get("forgottenAt"),
                    key);
    }

    @Test
    void a_running_attempt_loses_its_key_by_force_only() {
        Lease lease = desk.held("k");
        Map<?, ?> before = desk.get(KEYS + "/k");
        assertEquals("still-running", problem(desk.post(409, KEYS + "/k/release", "{\"reason\":\"r\"}")));
        assertEquals("not-in-doubt", problem(desk.post(409, KEYS + "/k/resolve", DID_NOT)));
        assertUntouched(before, "k");
        Map<?, ?> freed = desk.post(200, KEYS + "/k/release", FORCE);
        assertEquals("free", freed.get("state"));
        assertEquals(List.of("bob: taken from its holder: it hangs"), history(freed));
        assertTrue(desk.held("k").token() > lease.token());
        assertInstanceOf(Settlement.Superseded.class, lease.complete(Outcome.of(new byte[] {1})));
        assertEquals("in-progress", desk.get(KEYS + "/k").get("state"));
        assertEquals(
                List.of("bob | POST /v1/charges | " + lease.token() + " | released by force | it hangs"),
                desk.audited());
    }

    @Test
    void who_lost_its_key_by_force_is_still_heard_until_another_is_let_in() {
        Lease lease = desk.held("k");
        desk.post(200, KEYS + "/k/release", FORCE);
        AdminDesk.accepted(lease.complete(Outcome.of(new byte[] {1})));
        Map<?, ?> story = desk.get(KEYS + "/k");
        assertEquals("done", story.get("state"));
        assertEquals(2, history(story).size(), story.toString());
    }

    @Test
    void a_doubt_is_released_without_force() {
        long token = desk.doubt("k").token();
        assertEquals(
                "free",
                desk.post(200, KEYS + "/k/release", "{\"reason\":\"r\"}").get("state"));
        assertEquals(List.of("operator | POST /v1/charges | " + token + " | released | r"), desk.audited());
    }

    @Test
    void a_holder_past_its_lease_is_resolved_and_released_like_a_doubt() {
        desk.heldElsewhere("settle invoice", "resolved");
        desk.heldElsewhere("settle invoice", "released");
        desk.time.advance(ClaimPolicy.DEFAULT.lease());
        Map<?, ?> resolved = desk.post(200, KEYS + "/resolved/resolve", DID_NOT);
        assertEquals("free", resolved.get("state"));
        assertEquals(2, history(resolved).size(), resolved.toString());
        assertEquals(
                "free",
                desk.post(200, KEYS + "/released/release", "{\"reason\":\"r\"}").get("state"));
        assertEquals(2, desk.audit.size(), "each change once: " + desk.audit);
    }

    @Test
    void another_token_than_the_one_looked_at_is_refused_and_nothing_changes() {
        Lease doubt = desk.doubt("doubt");
        Lease running = desk.held("running");
        long silent = desk.heldElsewhere("settle invoice", "silent");
        desk.time.advance(ClaimPolicy.DEFAULT.lease());
        Map<String, Long> tokens = Map.of("doubt", doubt.token(), "silent", silent);
        tokens.forEach((key, token) -> {
            Map<?, ?> before = desk.get(KEYS + "/" + key);
            for (long wrong : new long[] {token - 1, token + 1}) {
                String word = "\"token\":" + wrong + ",\"reason\":\"r\"}";
                assertMoved(token, desk.post(409, KEYS + "/" + key + "/resolve", "{\"did\":\"not-happen\"," + word));
                assertMoved(token, desk.post(409, KEYS + "/" + key + "/release", "{" + word));
                assertMoved(token, desk.post(409, KEYS + "/" + key + "/release", "{\"force\":true," + word));
            }
            assertUntouched(before, key);
        });
        String forced = "{\"force\":true,\"reason\":\"r\",\"token\":" + (running.token() + 1) + "}";
        assertMoved(running.token(), desk.post(409, KEYS + "/running/release", forced));
        assertEquals(List.of(), desk.audit);
        desk.post(200, KEYS + "/doubt/resolve", DID_NOT.replace("{", "{\"token\":" + doubt.token() + ","));
        assertEquals(1, desk.audit.size());
    }

    private static void assertMoved(long token, Map<?, ?> refused) {
        assertEquals("superseded", problem(refused));
        assertEquals(token, refused.get("token"));
    }

    @Test
    void what_has_ended_cannot_be_ended_again() {
        desk.done("done");
        desk.freed("free");
        for (String key : List.of("done", "free")) {
            Map<?, ?> before = desk.get(KEYS + "/" + key);
            for (String[] word : new String[][] {
                {"resolve", DID_NOT}, {"resolve", HAPPENED}, {"release", "{\"reason\":\"r\"}"}, {"release", FORCE}
            }) {
                Map<?, ?> refused = desk.post(409, KEYS + "/" + key + "/" + word[0], word[1]);
                assertEquals("not-in-doubt", problem(refused));
                assertEquals(key, refused.get("state"));
            }
            assertUntouched(before, key);
        }
    }

    @Test
    void a_change_that_is_asked_for_twice_is_made_and_audited_once() {
        desk.doubt("k");
        desk.post(200, KEYS + "/k/resolve", DID_NOT);
        desk.post(409, KEYS + "/k/resolve", DID_NOT);
        assertEquals(1, desk.audit.size(), desk.audit.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "[]",
                "{}",
                "{\"did\":\"not-happen\",\"reason\":\"r\"",
                "{\"did\":\"not-happen\",\"reason\":\"r\"} {}",
                "{\"did\":\"not-happen\",\"reason\":\"r\",\"reason\":\"s\"}",
                "{\"did\":\"not-happen\"}",
                "{\"did\":\"not-happen\",\"reason\":null}",
                "{\"did\":\"not-happen\",\"reason\":7}",
                "{\"did\":\"not-happen\",\"reason\":\" \"}",
                "{\"did\":\"not-happen\",\"reason\":\"two\\nlines\"}",
                "{\"did\":\"not-happen\",\"reason\":\"r\",\"by\":\"\"}",
                "{\"did\":\"not-happen\",\"reason\":\"r\",\"tokn\":1}",
                "{\"did\":\"not-happen\",\"reason\":\"r\",\"token\":\"1\"}",
                "{\"did\":\"not-happen\",\"reason\":\"r\",\"token\":1.5}",
                "{\"did\":\"not-happen\",\"reason\":\"r\",\"token\":99999999999999999999}",
                "{\"did\":\"not-happen\",\"reason\":\"r\",\"force\":true}",
                "{\"did\":\"not-happen\",\"reason\":\"r\",\"retention\":\"1d\"}",
                "{\"did\":\"not-happen\",\"reason\":\"r\",\"response\":{\"status\":200}}",
                "{\"did\":\"perhaps\",\"reason\":\"r\"}",
                "{\"did\":\"happen\",\"reason\":\"r\"}",
                "{\"did\":\"happen\",\"response\":\"200\"}",
                "{\"did\":\"happen\",\"response\":{}}",
                "{\"did\":\"happen\",\"response\":{\"status\":100}}",
                "{\"did\":\"happen\",\"response\":{\"status\":600}}",
                "{\"did\":\"happen\",\"response\":{\"status\":204,\"body\":\"x\"}}",
                "{\"did\":\"happen\",\"response\":{\"status\":200,\"body\":\"x\",\"bodyBase64\":\"AA==\"}}",
                "{\"did\":\"happen\",\"response\":{\"status\":200,\"bodyBase64\":\"?\"}}",
                "{\"did\":\"happen\",\"response\":{\"status\":200,\"cookies\":[]}}",
                "{\"did\":\"happen\",\"response\":{\"status\":200,\"headers\":{\"A\":\"x\"}}}",
                "{\"did\":\"happen\",\"response\":{\"status\":200,\"headers\":[[\"A:\",\"x\"]]}}",
                "{\"did\":\"happen\",\"response\":{\"status\":200},\"retention\":\"0s\"}",
                "{\"did\":\"happen\",\"response\":{\"status\":200},\"retention\":\"999999d\"}",
                "{\"did\":\"happen\",\"response\":{\"status\":200},\"tombstone\":\"soon\"}",
            })
    void what_is_no_proper_word_about_a_doubt_changes_nothing(String body) {
        desk.doubt("k");
        Map<?, ?> before = desk.get(KEYS + "/k");
        assertEquals("bad-request", problem(desk.post(400, KEYS + "/k/resolve", body)));
        assertUntouched(before, "k");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"force\":true}",
                "{\"reason\":\"r\",\"force\":\"yes\"}",
                "{\"reason\":\"r\",\"did\":\"not-happen\"}",
            })
    void what_is_no_proper_word_to_release_a_key_changes_nothing(String body) {
        desk.held("k");
        Map<?, ?> before = desk.get(KEYS + "/k");
        assertEquals("bad-request", problem(desk.post(400, KEYS + "/k/release", body)));
        assertUntouched(before, "k");
    }

    @Test
    void a_reason_has_300_characters_at_most_and_a_name_60() {
        desk.doubt("k");
        String word = "{\"did\":\"not-happen\",\"reason\":\"%s\",\"by\":\"%s\"}";
        desk.post(400, KEYS + "/k/resolve", word.formatted("x".repeat(301), "y"));
        desk.post(400, KEYS + "/k/resolve", word.formatted("x", "y".repeat(61)));
        desk.post(200, KEYS + "/k/resolve", word.formatted("x".repeat(300), "y".repeat(60)));
    }

    @Test
    void when_the_store_does_not_answer_the_audit_hears_nothing() {
        FlakyKeyStore[] flaky = new FlakyKeyStore[1];
        try (AdminDesk shaky = AdminDesk.behind(store -> flaky[0] = new FlakyKeyStore(store))) {
            shaky.doubt("k");
            flaky[0].down(true);
            assertEquals("store-unavailable", problem(shaky.post(503, KEYS + "/k/resolve", DID_NOT)));
            flaky[0].down(false);
            assertEquals("in-doubt", shaky.get(KEYS + "/k").get("state"));
            flaky[0].failWrites(Fault.LOST_AFTER);
            Map<?, ?> unknown = shaky.post(503, KEYS + "/k/resolve", DID_NOT);
            assertTrue(AdminDesk.detail(unknown).contains("not known"), unknown.toString());
            assertEquals("free", shaky.get(KEYS + "/k").get("state"));
            assertEquals(List.of(), shaky.audit);
        }
    }
}
