package dev.semel.gateway;

import static dev.semel.gateway.AdminScene.CHARGES;
import static dev.semel.gateway.AdminScene.problem;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Outcome;
import dev.semel.testkit.FlakyKeyStore.Fault;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Looking keys up and putting them right, over real sockets. */
class AdminApiTest {
    private static final String KEYS = "/admin/v1/keys";
    private static final String HAPPENED = """
        {"did":"happen","reason":"the bank has it","by":"alice","response":{"status":201,
         "headers":[["Content-Type","application/json"],["X-Bank","7"],["Connection","close"],["Set-Cookie","a=b"],
                    ["Transfer-Encoding","chunked"]],
         "body":"{\\"id\\":\\"ch_1\\"}"}}\
        """;

    private AdminScene scene;

    @BeforeEach
    void open() throws Exception {
        scene = AdminScene.open();
    }

    @AfterEach
    void close() {
        scene.close();
    }

    private static List<?> list(Map<?, ?> answer, String name) {
        return assertInstanceOf(List.class, answer.get(name), answer::toString);
    }

    private static List<String> whatHappened(Map<?, ?> story) {
        List<String> whats = new ArrayList<>();
        for (Object remark : list(story, "history")) {
            Map<?, ?> members = (Map<?, ?>) remark;
            whats.add(members.get("by") + ": " + members.get("what"));
        }
        return whats;
    }

    @Test
    void a_doubt_that_did_happen_is_replayed_to_the_client_exactly_as_given() throws Exception {
        scene.doubt("k");
        assertEquals("in-doubt", scene.get(KEYS + "/k").get("state"));
        Map<?, ?> resolved = scene.post(200, KEYS + "/k/resolve", HAPPENED);
        assertEquals("done", resolved.get("state"));
        assertEquals(
                "alice: it did happen: the bank has it", whatHappened(resolved).getLast());

        Received.Response replay = scene.charge("k");
        assertEquals(201, replay.status());
        assertEquals("{\"id\":\"ch_1\"}", replay.text());
        assertEquals("7", replay.headers().first("X-Bank"));
        assertEquals("application/json", replay.headers().first("Content-Type"));
        assertEquals("true", replay.headers().first("Idempotent-Replayed"));
        for (String dropped : List.of("Set-Cookie", "Transfer-Encoding", "Connection"))
            assertNull(replay.headers().first(dropped), dropped);
        assertEquals(1, scene.tokensSent.size());
    }

    @Test
    void a_key_of_the_service_api_is_found_told_and_ended_beside_one_of_the_route_with_the_same_name()
            throws Exception {
        assertEquals(201, scene.charge("k").status());
        RawRequest claim = RawRequest.post("/.semel/v1/claims")
                .json("{\"operation\":\"POST /v1/charges\",\"key\":\"k\",\"payload\":1,\"lease\":\"1s\"}");
        assertEquals(201, scene.api(claim).status());
        scene.clock.advance(ClaimPolicy.DEFAULT.lease());
        assertEquals(409, scene.api(claim).status());

        String service = KEYS + "/k?operation=service:POST%20/v1/charges";
        Map<?, ?> story = scene.get(service);
        assertEquals("service:POST /v1/charges", story.get("operation"));
        assertEquals("in-doubt, a client of the service API", story.get("state") + ", " + story.get("heldBy"));
        assertEquals(
                scene.clock.instant().plus(Duration.ofDays(31)).toString(),
                story.get("forgottenAt"),
                "31 days from now");
        assertEquals("done", scene.get(KEYS + "/k?operation=POST%20/v1/charges").get("state"));
        assertEquals(Set.of("k"), keys(scene.get(KEYS)));

        String resolve = service.replace("?", "/resolve?");
        assertEquals("done", scene.post(200, resolve, HAPPENED).get("state"));
        assertEquals("{\"outcome\":{\"id\":\"ch_1\"}}", scene.api(claim).text());
        assertEquals(Map.of("id", "ch_1"), scene.get(service + "&body=true").get("outcome"));
        assertEquals("json", scene.get(service).get("outcomeFormat"));
        assertEquals("effect 1", scene.charge("k").text());
    }

    @Test
    void a_body_of_any_bytes_can_be_given_in_base64() throws Exception {
        scene.doubt("k");
        scene.post(
                200,
                KEYS + "/k/resolve",
                "{\"did\":\"happen\",\"reason\":\"r\",\"response\":{\"status\":200,\"bodyBase64\":\"AP+A\"}}");
        assertEquals(
                List.of((byte) 0, (byte) -1, (byte) -128),
                bytes(scene.charge("k").body()));
        Map<?, ?> response = (Map<?, ?>) scene.get(KEYS + "/k?body=true").get("response");
        assertEquals("AP+A", response.get("bodyBase64"));
    }

    private static List<Byte> bytes(byte[] body) {
        List<Byte> bytes = new ArrayList<>();
        for (byte each : body) bytes.add(each);
        return bytes;
    }

    @Test
    void a_doubt_that_did_not_happen_runs_again_with_a_higher_token() throws Exception {
        scene.doubt("k");
        String didNot = "{\"did\":\"not-happen\",\"reason\":\"the bank knows nothing\"}";
        assertEquals("free", scene.post(200, KEYS + "/k/resolve", didNot).get("state"));
        Received.Response again = scene.charge("k");
        assertEquals(201, again.status());
        assertNull(again.headers().first("Idempotent-Replayed"));
        assertEquals(2, scene.tokensSent.size());
        assertTrue(scene.tokensSent.get(1) > scene.tokensSent.get(0), scene.tokensSent.toString());
        List<String> history = whatHappened(scene.get(KEYS + "/k"));
        assertTrue(history.contains("operator: it did not happen: the bank knows nothing"), history.toString());
    }

    @Test
    void only_the_doubt_that_was_looked_at_can_be_ended() throws Exception {
        scene.doubt("k");
        long token = (Long) scene.get(KEYS + "/k").get("token");
        String word = "{\"did\":\"not-happen\",\"reason\":\"r\",\"token\":%d}";
        Map<?, ?> refused = scene.post(409, KEYS + "/k/resolve", word.formatted(token - 1));
        assertEquals("superseded", problem(refused));
        assertEquals(token, refused.get("token"));
        assertEquals("in-doubt", scene.get(KEYS + "/k").get("state"));
        scene.post(200, KEYS + "/k/resolve", word.formatted(token));
        Map<?, ?> again = scene.post(409, KEYS + "/k/resolve", word.formatted(token));
        assertEquals("not-in-doubt", problem(again));
        assertEquals("free", again.get("state"));
        scene.charge("k");
        assertEquals(
                "done",
                scene.post(409, KEYS + "/k/release", "{\"reason\":\"r\"}").get("state"));
    }

    @Test
    void a_silent_holder_counts_as_a_doubt() throws Exception {
        scene.held("", CHARGES, "silent");
        scene.held("", CHARGES, "silent-too");
        Lease late = scene.held("", CHARGES, "late");
        scene.elsewhere.close();
        String didNot = "{\"did\":\"not-happen\",\"reason\":\"r\"}";
        assertEquals("not-in-doubt", problem(scene.post(409, KEYS + "/silent/resolve", didNot)));
        scene.clock.advance(ClaimPolicy.DEFAULT.lease());
        assertEquals("in-doubt", scene.get(KEYS + "/silent").get("state"));
        assertEquals(Set.of("silent", "silent-too", "late"), keys(scene.get(KEYS + "?state=in-doubt")));
        assertEquals(Set.of(), keys(scene.get(KEYS + "?state=in-progress")));
        Map<?, ?> resolved = scene.post(200, KEYS + "/silent/resolve", didNot);
        assertEquals(2, whatHappened(resolved).size(), resolved.toString());
        assertEquals(
                "free",
                scene.post(200, KEYS + "/silent-too/release", "{\"reason\":\"r\"}")
                        .get("state"));
        assertInstanceOf(Settlement.Accepted.class, late.complete(Outcome.of(new byte[] {9})));
        Map<?, ?> foreign = scene.get(KEYS + "/late");
        assertEquals("done", foreign.get("state"));
        assertEquals("bytes, 1", foreign.get("outcomeFormat") + ", " + foreign.get("outcomeBytes"));
        assertEquals(
                Map.of("format", "bytes", "base64", "CQ=="),
                scene.get(KEYS + "/late?body=true").get("outcome"));
    }

    @Test
    void an_outcome_that_an_operator_gives_is_kept_as_long_as_the_route_says() throws Exception {
        silent(AdminScene.REFUNDS, "k");
        silent("settle invoice", "other");
        assertEquals(List.of(7L, 90L), daysKept(scene.post(200, KEYS + "/k/resolve", HAPPENED)));
        assertEquals(List.of(1L, 30L), daysKept(scene.post(200, KEYS + "/other/resolve", HAPPENED)), "no route's");
        silent(AdminScene.REFUNDS, "given");
        String given = HAPPENED.replace("{\"did\"", "{\"retention\":\"2d\",\"did\"");
        assertEquals(List.of(2L, 90L), daysKept(scene.post(200, KEYS + "/given/resolve", given)));
    }

    private void silent(String operation, String key) {
        try (Semel process = Semel.on(scene.store).sweepEvery(Duration.ZERO).start()) {
            AdminScene.held(process, "", operation, key);
        }
        scene.clock.advance(ClaimPolicy.DEFAULT.lease());
    }

    private static List<Long> daysKept(Map<?, ?> story) {
        Instant done = Instant.parse((String) story.get("since"));
        Instant expires = Instant.parse((String) story.get("expires"));
        Instant forgotten = Instant.parse((String) story.get("forgottenAt"));
        return List.of(
                Duration.between(done, expires).toDays(),
                Duration.between(expires, forgotten).toDays());
    }

    @Test
    void a_key_that_an_operator_frees_is_remembered_as_long_as_the_route_says() throws Exception {
        silent(AdminScene.REFUNDS, "resolved");
        silent(AdminScene.REFUNDS, "released");
        scene.held("", AdminScene.REFUNDS, "forced");
        scene.post(200, KEYS + "/resolved/resolve", "{\"did\":\"not-happen\",\"reason\":\"r\"}");
        scene.post(200, KEYS + "/released/release", "{\"reason\":\"r\"}");
        scene.post(200, KEYS + "/forced/release", "{\"reason\":\"r\",\"force\":true}");
        scene.clock.advance(Duration.ofDays(6));
        for (String key : List.of("resolved", "released", "forced"))
            assertEquals("free", scene.get(KEYS + "/" + key).get("state"), key);
        scene.clock.advance(Duration.ofDays(1));
        for (String key : List.of("resolved", "released", "forced")) scene.get(404, KEYS + "/" + key);
    }

    @Test
    void what_did_happen_needs_no_reason_for_its_answer_shows_it() throws Exception {
        scene.doubt("k");
        Map<?, ?> resolved =
                scene.post(200, KEYS + "/k/resolve", HAPPENED.replace("\"reason\":\"the bank has it\",", ""));
        assertEquals(
                "alice: it did happen: no reason was given",
                whatHappened(resolved).getLast());
    }

    @Test
    void a_running_attempt_loses_its_key_by_force_only() throws Exception {
        Lease lease = scene.held("", CHARGES, "k");
        assertEquals("still-running", problem(scene.post(409, KEYS + "/k/release", "{\"reason\":\"r\"}")));
        Map<?, ?> freed = scene.post(200, KEYS + "/k/release", "{\"reason\":\"it hangs\",\"force\":true}");
        assertEquals("free", freed.get("state"));
        assertEquals(List.of("operator: taken from its holder: it hangs"), whatHappened(freed));
        assertTrue(scene.held("", CHARGES, "k").token() > lease.token());
        assertInstanceOf(Settlement.Superseded.class, lease.complete(Outcome.of(new byte[] {1})));
    }

    @Test
    void the_story_of_a_key_tells_everything_but_the_body() throws Exception {
        scene.charge("k");
        Map<?, ?> story = scene.get(KEYS + "/k?operation=POST%20/v1/charges");
        assertEquals("done", story.get("state"));
        assertEquals(CHARGES, story.get("operation"));
        assertEquals(scene.tokensSent.getFirst(), story.get("token"));
        for (String name : List.of("since", "attempt", "fingerprint", "expires", "forgottenAt", "hasMemo", "history"))
            assertTrue(story.containsKey(name), name);
        Map<?, ?> response = (Map<?, ?>) story.get("response");
        assertEquals(201, response.get("status"));
        assertEquals(8, response.get("bodyBytes"));
        assertFalse(response.containsKey("body"));
        Map<?, ?> whole = (Map<?, ?>) scene.get(KEYS + "/k?body=true").get("response");
        assertEquals("effect 1", whole.get("body"));
    }

    @Test
    void keys_are_listed_page_by_page_each_once() throws Exception {
        Set<String> all = new HashSet<>();
        for (int i = 0; i < 7; i++) {
            scene.held(i % 2 == 0 ? "even" : "odd", CHARGES, "k" + i);
            all.add("k" + i);
        }
        scene.doubt("lost");
        scene.charge("done");
        all.add("lost");
        Set<String> seen = new HashSet<>();
        String after = "";
        int pages = 0;
        while (after != null) {
            Map<?, ?> page = scene.get(KEYS + "?limit=3" + after);
            for (String key : keys(page)) assertTrue(seen.add(key), key);
            assertTrue(keys(page).size() <= 3);
            after = page.get("next") == null ? null : "&after=" + encode((String) page.get("next"));
            pages++;
        }
        assertEquals(all, seen);
        assertTrue(pages >= 3, "pages " + pages);
        assertEquals(Set.of("lost"), keys(scene.get(KEYS + "?state=in-doubt&limit=1")));
        assertEquals(Set.of("done"), keys(scene.get(KEYS + "?state=done,spent")));
        assertEquals(Set.of("k1", "k3", "k5"), keys(scene.get(KEYS + "?tenant=odd")));
    }

    private static String encode(String text) {
        return java.net.URLEncoder.encode(text, java.nio.charset.StandardCharsets.UTF_8);
    }

    private static Set<String> keys(Map<?, ?> page) {
        Set<String> keys = new HashSet<>();
        for (Object line : list(page, "keys")) keys.add((String) ((Map<?, ?>) line).get("key"));
        return keys;
    }

    @Test
    void a_key_is_found_without_its_operation_when_it_is_the_only_one() throws Exception {
        scene.held("", "anything at all", "running");
        assertEquals("anything at all", scene.get(KEYS + "/running").get("operation"));
        scene.held("acme", CHARGES, "theirs");
        assertEquals(
                "acme", scene.get(KEYS + "/theirs?operation=POST%20/v1/charges").get("tenant"));

        scene.charge("twice");
        scene.held("", "POST /v1/refunds", "twice");
        Map<?, ?> several = scene.get(409, KEYS + "/twice");
        assertEquals("ambiguous-key", problem(several));
        assertEquals(2, list(several, "candidates").size());
        assertEquals(
                "done", scene.get(KEYS + "/twice?operation=POST%20/v1/charges").get("state"));

        Map<?, ?> none = scene.get(404, KEYS + "/nobody");
        assertEquals("key-unknown", problem(none));
        assertTrue(String.valueOf(none.get("detail")).contains("No operation has this key"), none.toString());
    }

    /** Under no route that is configured: renamed since, or claimed by something else than a gateway. */
    @Test
    void a_key_is_found_without_its_operation_however_it_ended() throws Exception {
        String renamed = "PUT /v1/accounts/{account}";
        scene.held("", renamed, "done-1").complete(Outcome.of(new byte[] {1}));
        scene.held("acme", renamed, "freed-1").release();
        scene.held("acme", "ship parcel", "spent-1").complete(Outcome.of(new byte[] {1}));
        assertEquals(renamed, scene.get(KEYS + "/done-1").get("operation"));
        assertEquals("free", scene.get(KEYS + "/freed-1").get("state"));
        assertEquals("acme", scene.get(KEYS + "/freed-1").get("tenant"));
        scene.clock.advance(Duration.ofHours(25));
        assertEquals("spent", scene.get(KEYS + "/spent-1").get("state"));
        assertEquals("ship parcel", scene.get(KEYS + "/spent-1?tenant=acme").get("operation"));
        assertEquals("key-unknown", problem(scene.get(404, KEYS + "/spent-1?tenant=other")));

        scene.charge("done-2");
        scene.held("", renamed, "done-2").complete(Outcome.of(new byte[] {1}));
        assertEquals(2, list(scene.get(409, KEYS + "/done-2"), "candidates").size());
    }

    @Test
    void a_key_is_the_same_quoted_or_bare() throws Exception {
        scene.charge("quoted-1");
        assertEquals("quoted-1", scene.get(KEYS + "/%22quoted-1%22").get("key"));
        scene.held("", "by the service API", "\"odd\"");
        assertEquals("\"odd\"", scene.get(KEYS + "/%22odd%22").get("key"));
    }

    @Test
    void the_status_counts_weak_keys_by_what_is_wrong_with_them() throws Exception {
        assertEquals(Map.of("weakKeys", weak(0, 0)), scene.get("/admin/v1/status"));
        scene.charge("8e03978e-40d5-43e8-bc93-6894a57f9324");
        scene.charge("1");
        scene.charge("2");
        scene.charge("2");
        assertEquals(Map.of("weakKeys", weak(2, 1)), scene.get("/admin/v1/status"), "a replay is not counted again");
    }

    private static Map<String, Integer> weak(int shortOnes, int sequential) {
        return Map.of("short", shortOnes, "time", 0, "sequential", sequential);
    }

    @Test
    void a_key_may_hold_slashes_and_spaces() throws Exception {
        scene.held("", CHARGES, "a/b c+d%");
        assertEquals("a/b c+d%", scene.get(KEYS + "/a%2Fb%20c+d%25").get("key"));
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
        "GET, /admin/v1/keys/k/burn, 404,",
        "GET, /admin/v1/keys/, 404,",
        "GET, /admin/v2/keys, 404,",
        "GET, /admin/v1/keys?limit=0, 400,",
        "GET, /admin/v1/keys?limit=many, 400,",
        "GET, /admin/v1/keys?state=odd, 400,",
        "GET, /admin/v1/keys?stat=done, 400,",
        "GET, /admin/v1/keys/%zz, 400,",
    })
    void what_is_no_proper_question_is_told_so(String method, String target, int status, String allow)
            throws Exception {
        Received.Response answer = scene.admin(RawRequest.get(target).withMethod(method));
        AdminScene.json(status, answer);
        assertEquals(allow, answer.headers().first("Allow"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "[]",
                "{}",
                "{\"did\":\"not-happen\"}",
                "{\"did\":\"not-happen\",\"reason\":\"\"}",
                "{\"did\":\"not-happen\",\"reason\":\"two\\nlines\"}",
                "{\"did\":\"perhaps\",\"reason\":\"r\"}",
                "{\"did\":\"happen\",\"reason\":\"r\"}",
                "{\"did\":\"happen\",\"reason\":\" \",\"response\":{\"status\":200}}",
                "{\"did\":\"not-happen\",\"reason\":\"r\",\"response\":{\"status\":200}}",
                "{\"did\":\"not-happen\",\"reason\":\"r\",\"tokn\":1}",
                "{\"did\":\"not-happen\",\"reason\":\"r\",\"token\":1.5}",
                "{\"did\":\"happen\",\"reason\":\"r\",\"response\":{\"status\":100}}",
                "{\"did\":\"happen\",\"reason\":\"r\",\"response\":{\"status\":204,\"body\":\"x\"}}",
                "{\"did\":\"happen\",\"reason\":\"r\",\"response\":{\"status\":200,\"headers\":[[\"A\",\"x\\r"
                        + "\\n"
                        + "y\"]]}}",
                "{\"did\":\"happen\",\"reason\":\"r\",\"response\":{\"status\":200,\"headers\":[[\"A:\",\"x\"]]}}",
                "{\"did\":\"happen\",\"reason\":\"r\",\"response\":{\"status\":200,\"bodyBase64\":\"?\"}}",
                "{\"did\":\"happen\",\"reason\":\"r\",\"retention\":\"0s\",\"response\":{\"status\":200}}",
            })
    void what_is_no_proper_word_changes_nothing(String body) throws Exception {
        scene.doubt("k");
        scene.post(400, KEYS + "/k/resolve", body);
        assertEquals("in-doubt", scene.get(KEYS + "/k").get("state"));
    }

    @Test
    void a_reason_has_300_characters_at_most() throws Exception {
        scene.doubt("k");
        String word = "{\"did\":\"not-happen\",\"reason\":\"%s\"}";
        scene.post(400, KEYS + "/k/resolve", word.formatted("x".repeat(301)));
        scene.post(200, KEYS + "/k/resolve", word.formatted("x".repeat(300)));
    }

    @Test
    void a_body_beyond_all_measure_is_refused() throws Exception {
        RawRequest huge = RawRequest.post(KEYS + "/k/resolve").body("application/json", new byte[9 << 20]);
        assertEquals("body-too-large", problem(AdminScene.json(413, scene.admin(huge))));
    }

    @Test
    void when_the_store_does_not_answer_that_is_said_and_whether_the_change_may_have_happened() throws Exception {
        scene.doubt("k");
        scene.store.down(true);
        Map<?, ?> refused = scene.get(503, KEYS + "/k?operation=POST%20/v1/charges");
        scene.store.down(false);
        assertEquals("store-unavailable", problem(refused));
        scene.store.failWrites(Fault.LOST_AFTER);
        Map<?, ?> unknown = scene.post(503, KEYS + "/k/resolve", "{\"did\":\"not-happen\",\"reason\":\"r\"}");
        assertTrue(String.valueOf(unknown.get("detail")).contains("not known"), unknown.toString());
        assertEquals("free", scene.get(KEYS + "/k").get("state"));
    }
}
