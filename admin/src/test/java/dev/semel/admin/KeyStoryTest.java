package dev.semel.admin;

import static dev.semel.admin.AdminDesk.CHARGES;
import static dev.semel.admin.AdminDesk.KEYS;
import static dev.semel.admin.AdminDesk.accepted;
import static dev.semel.admin.AdminDesk.detail;
import static dev.semel.admin.AdminDesk.history;
import static dev.semel.admin.AdminDesk.list;
import static dev.semel.admin.AdminDesk.problem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Codec;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.Lease;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.Outcome;
import dev.semel.http.HttpResponse;
import dev.semel.http.JsonOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the admin API tells about one key, in every state that a key can be in. */
class KeyStoryTest {
    private AdminDesk desk;

    @BeforeEach
    void open() {
        desk = AdminDesk.open();
    }

    @AfterEach
    void close() {
        desk.close();
    }

    private String fromNow(Duration by) {
        return desk.time.instant().plus(by).toString();
    }

    @Test
    void a_free_key_tells_until_when_it_is_remembered() {
        desk.freed("k");
        Map<?, ?> story = desk.get(KEYS + "/k");
        assertEquals("free", story.get("state"));
        assertEquals(fromNow(Duration.ofHours(24)), story.get("forgottenAt"));
        assertFalse(story.containsKey("holder"));
        assertFalse(story.containsKey("outcomeFormat"));
    }

    @Test
    void a_key_in_progress_tells_who_holds_it_and_for_how_long() {
        Lease lease = desk.held("acme", CHARGES, "k");
        Map<?, ?> story = desk.get(KEYS + "/k");
        assertEquals("in-progress", story.get("state"));
        assertEquals(
                "acme, POST /v1/charges, k",
                story.get("tenant") + ", " + story.get("operation") + ", " + story.get("key"));
        assertEquals(KeyId.of("acme", CHARGES, "k").hash(), story.get("hash"));
        assertEquals(lease.token(), story.get("token"));
        assertEquals(1, story.get("attempt"));
        assertEquals(lease.fingerprint().toString(), story.get("fingerprint"));
        assertEquals(fromNow(Duration.ZERO), story.get("since"));
        assertEquals(fromNow(Duration.ZERO), story.get("now"));
        assertEquals(fromNow(ClaimPolicy.DEFAULT.lease()), story.get("leaseUntil"));
        assertTrue(story.containsKey("holder"));
        assertEquals(false, story.get("hasMemo"));
        for (String absent : List.of("heldBy", "reason", "expires", "outcomeFormat"))
            assertFalse(story.containsKey(absent), absent);
    }

    @Test
    void a_key_that_is_done_with_a_response_tells_all_of_it_but_the_body() {
        desk.done("k");
        Map<?, ?> story = desk.get(KEYS + "/k");
        assertEquals("done", story.get("state"));
        assertEquals(fromNow(Duration.ofDays(1)), story.get("expires"));
        assertEquals(fromNow(Duration.ofDays(31)), story.get("forgottenAt"));
        assertEquals("response", story.get("outcomeFormat"));
        Map<?, ?> response = (Map<?, ?>) story.get("response");
        assertEquals(201, response.get("status"));
        assertEquals(List.of(List.of("Content-Type", "text/plain")), response.get("headers"));
        assertEquals("8 true", response.get("bodyBytes") + " " + response.get("bodyKept"));
        assertFalse(response.containsKey("body"));
        assertEquals(story, desk.get(KEYS + "/k?body=false"));
    }

    @Test
    void the_body_of_a_response_is_told_to_who_asks_for_it() {
        desk.done("k");
        Map<?, ?> response = (Map<?, ?>) desk.get(KEYS + "/k?body=true").get("response");
        assertEquals("effect 1", response.get("body"));
        assertEquals("bad-request", problem(desk.get(400, KEYS + "/k?body=yes")));
    }

    @Test
    void a_key_that_a_remote_holder_ended_with_json_tells_it_as_it_was_given() {
        long token = desk.heldElsewhere("settle invoice", "k");
        assertEquals("a client of the service API", desk.get(KEYS + "/k").get("heldBy"));
        String json = "{\"paid\":[1,null]}";
        accepted(desk.semel
                .remoteLease(KeyId.of("", "settle invoice", "k"), token, ClaimPolicy.DEFAULT)
                .complete(JsonOutcome.of(json)));
        Map<?, ?> story = desk.get(KEYS + "/k");
        assertEquals("done, json", story.get("state") + ", " + story.get("outcomeFormat"));
        assertEquals(json.length(), story.get("outcomeBytes"));
        assertFalse(story.containsKey("outcome"));
        HttpResponse whole = desk.answer("GET", KEYS + "/k?body=true", "");
        assertTrue(new String(whole.body(), UTF_8).contains("\"outcome\":" + json));
    }

    @Test
    void a_key_that_an_operation_ended_tells_the_bytes_of_its_value() {
        assertEquals("paid", desk.semel.operation("charge", Codec.text()).once("k", "ten", attempt -> "paid"));
        Map<?, ?> story = desk.get(KEYS + "/k?operation=charge");
        assertEquals(
                "done, value, 4",
                story.get("state") + ", " + story.get("outcomeFormat") + ", " + story.get("outcomeBytes"));
        assertFalse(story.containsKey("outcome"));
        String base64 = Base64.getEncoder().encodeToString("paid".getBytes(UTF_8));
        assertEquals(
                Map.of("format", "value", "base64", base64),
                desk.get(KEYS + "/k?body=true").get("outcome"));
    }

    @Test
    void a_key_in_doubt_tells_why_and_when_someone_looks_again() {
        desk.doubt("k");
        Map<?, ?> story = desk.get(KEYS + "/k");
        assertEquals("in-doubt", story.get("state"));
        assertEquals("the answer was lost", story.get("reason"));
        assertEquals(0, story.get("probes"));
        assertTrue(story.containsKey("nextProbe"));
        assertEquals(1, history(story).size(), story.toString());
    }

    @Test
    void a_remote_holder_past_its_lease_leaves_a_doubt_with_a_reason() {
        desk.heldElsewhere("settle invoice", "k");
        desk.time.advance(ClaimPolicy.DEFAULT.lease().minusMillis(1));
        assertEquals("in-progress", desk.get(KEYS + "/k").get("state"));
        desk.time.advance(Duration.ofMillis(1));
        Map<?, ?> story = desk.get(KEYS + "/k");
        assertEquals("in-doubt", story.get("state"));
        assertTrue(String.valueOf(story.get("reason")).startsWith("the holder fell silent"), story.toString());
    }

    @Test
    void a_spent_key_tells_when_it_was_done_and_no_longer_what() {
        Instant done = desk.time.instant();
        desk.done("k");
        desk.time.advance(Duration.ofDays(1));
        Map<?, ?> story = desk.get(KEYS + "/k?body=true");
        assertEquals("spent", story.get("state"));
        assertEquals(done.toString(), story.get("doneAt"));
        assertEquals(done.plus(Duration.ofDays(31)).toString(), story.get("forgottenAt"));
        assertFalse(story.containsKey("outcomeFormat"));
        assertFalse(story.containsKey("response"));
        desk.time.advance(Duration.ofDays(30));
        assertEquals("key-unknown", problem(desk.get(404, KEYS + "/k")));
    }

    @Test
    void a_key_that_nobody_knows_is_told_so_with_advice() {
        desk.held("acme", CHARGES, "theirs");
        Map<?, ?> anywhere = desk.get(404, KEYS + "/nobody");
        assertEquals("key-unknown", problem(anywhere));
        assertTrue(detail(anywhere).startsWith("No operation has this key"), detail(anywhere));
        String ofTenant = detail(desk.get(404, KEYS + "/theirs?tenant=other"));
        assertTrue(ofTenant.startsWith("No operation of this tenant has this key"), ofTenant);
        String named = detail(desk.get(404, KEYS + "/theirs?operation=settle"));
        assertTrue(named.startsWith("This operation has no such key"), named);
        assertTrue(named.endsWith("name the tenant too."), named);
        for (String action : List.of("resolve", "release"))
            assertEquals("key-unknown", problem(desk.post(404, KEYS + "/nobody/" + action, "{}")));
        assertEquals(List.of(), desk.audit);
    }

    @Test
    void a_key_of_several_operations_or_tenants_has_to_be_named_in_full() {
        desk.done("k");
        desk.held("", "settle invoice", "k");
        desk.held("acme", CHARGES, "k");
        Map<?, ?> several = desk.get(409, KEYS + "/k");
        assertEquals("ambiguous-key", problem(several));
        assertEquals(3, list(several, "candidates").size());
        assertTrue(list(several, "candidates").contains(Map.of("tenant", "acme", "operation", CHARGES, "key", "k")));
        assertEquals(
                "ambiguous-key", problem(desk.post(409, KEYS + "/k/release", "{\"reason\":\"r\",\"force\":true}")));
        assertEquals(
                "in-progress", desk.get(KEYS + "/k?operation=settle%20invoice").get("state"));
        assertEquals("in-progress", desk.get(KEYS + "/k?tenant=acme").get("state"));
        assertEquals(
                "done",
                desk.get(KEYS + "/k?operation=POST%20/v1/charges&tenant=").get("state"));
        assertEquals(List.of(), desk.audit);
    }

    @Test
    void a_key_is_the_same_quoted_or_bare_and_may_hold_any_character() {
        desk.done("quoted");
        assertEquals("quoted", desk.get(KEYS + "/%22quoted%22").get("key"));
        desk.held("", "settle invoice", "\"odd\"");
        assertEquals("\"odd\"", desk.get(KEYS + "/%22odd%22").get("key"));
        desk.held("a/b c+d%");
        assertEquals("a/b c+d%", desk.get(KEYS + "/a%2Fb%20c+d%25").get("key"));
    }

    @Test
    void an_outcome_of_plain_bytes_is_told_in_base64() {
        accepted(desk.held("k").complete(Outcome.of(new byte[] {9})));
        assertEquals(
                Map.of("format", "bytes", "base64", "CQ=="),
                desk.get(KEYS + "/k?body=true").get("outcome"));
    }

    @Test
    void the_status_counts_weak_keys() {
        desk.weakKeys.note(CHARGES, "", "1");
        assertEquals(Map.of("weakKeys", Map.of("short", 1, "time", 0, "sequential", 0)), desk.get("/admin/v1/status"));
    }

    @ParameterizedTest
    @CsvSource({
        "DELETE, /admin/v1/keys, 405, GET",
        "POST, /admin/v1/status, 405, GET",
        "GET, /admin/v1/status/, 404,",
        "GET, /admin/v1/status?of=k, 400,",
        "POST, /admin/v1/keys/k, 405, GET",
        "GET, /admin/v1/keys/k/resolve, 405, POST",
        "GET, /admin/v1/keys/k/release, 405, POST",
        "POST, /admin/v1/keys/k/burn, 404,",
        "GET, /admin/v1/keys/k/, 404,",
        "GET, /admin/v1/keys/k/resolve/now, 404,",
        "GET, /admin/v1/keys/, 404,",
        "GET, /admin/v2/keys, 404,",
        "GET, /admin/v1/keys/%zz, 400,",
        "GET, /admin/v1/keys/k?operation=%zz, 400,",
        "GET, /admin/v1/keys/k?operatoin=x, 400,",
        "GET, /admin/v1/keys/k?tenant=a&tenant=b, 400,",
        "POST, /admin/v1/keys/k/release?body=true, 400,",
    })
    void what_is_no_proper_question_is_told_so(String method, String target, int status, String allow) {
        HttpResponse answer = desk.answer(method, target, "");
        AdminDesk.json(status, answer);
        assertEquals(allow, answer.headers().first("Allow"));
    }
}
