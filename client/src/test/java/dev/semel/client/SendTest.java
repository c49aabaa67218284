package dev.semel.client;

import static dev.semel.client.ScriptedServer.BREAKS_IN_THE_ANSWER;
import static dev.semel.client.ScriptedServer.LOSES_THE_ANSWER;
import static dev.semel.client.ScriptedServer.LOSES_THE_REQUEST;
import static dev.semel.client.ScriptedServer.answers;
import static dev.semel.client.ScriptedServer.problem;
import static dev.semel.client.ScriptedServer.waitsFor;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.client.Answer.Definitive;
import dev.semel.client.Answer.Ended;
import dev.semel.client.Answer.Refusal;
import dev.semel.client.Answer.Refused;
import dev.semel.client.Answer.StillUnknown;
import dev.semel.client.ledger.Entry;
import dev.semel.client.ledger.FileLedger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SendTest {
    private static final Intent INTENT = Intent.of("pay order 17");

    @TempDir
    Path folder;

    private final JumpTime time = new JumpTime();
    private final ScriptedServer server = new ScriptedServer();
    private FileLedger ledger;
    private SemelClient client;

    @BeforeEach
    void open() {
        ledger = FileLedger.open(folder.resolve("ledger"));
        client = client().build();
    }

    @AfterEach
    void close() {
        client.close();
        ledger.close();
        server.close();
    }

    private SemelClientBuilder client() {
        return SemelClient.on(ledger).time(time);
    }

    private HttpRequest.Builder post() {
        return HttpRequest.newBuilder(server.uri("/v1/charges"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"amount\":1999}"));
    }

    private Definitive definitive(Answer answer) {
        return assertInstanceOf(Definitive.class, answer);
    }

    private Refused refused(Answer answer) {
        return assertInstanceOf(Refused.class, answer);
    }

    private StillUnknown unknown(Answer answer) {
        return assertInstanceOf(StillUnknown.class, answer);
    }

    @Test
    void a_request_is_sent_with_a_key_of_version_7_and_settled() {
        Definitive answer =
                definitive(client.send(INTENT, post().header("X-Trace", "t").build()));
        assertEquals("charge-1", answer.response().text());
        assertFalse(answer.replayed());
        assertTrue(answer.recorded());
        ScriptedServer.Seen seen = server.seen().getFirst();
        assertEquals(answer.key(), seen.key());
        assertEquals(7, UUID.fromString(answer.key()).version());
        assertEquals(time.now().toEpochMilli(), UUID.fromString(answer.key()).getMostSignificantBits() >>> 16);
        assertEquals("POST /v1/charges {\"amount\":1999}", seen.method() + " " + seen.path() + " " + seen.body());
        assertEquals(
                "application/json t",
                seen.headers().get("Content-Type") + " " + seen.headers().get("X-Trace"));
        assertEquals(List.of(), client.pending());
    }

    @Test
    void after_a_lost_answer_the_same_key_is_sent_and_the_effect_happens_once() {
        server.then(LOSES_THE_ANSWER, BREAKS_IN_THE_ANSWER, problem(409, "in-progress", "Retry-After", "2"));
        Definitive answer = definitive(client.send(INTENT, post().build()));
        assertTrue(answer.replayed());
        assertEquals(4, server.seen().size());
        assertEquals(1, server.keys().size());
        assertEquals(1, server.effects());
    }

    /** The heart of it: a 429 says only that this try was refused. */
    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 408, 425, 429, 503})
    void a_refusal_of_a_retry_does_not_settle_the_first_attempt(int status) {
        client = client().patience(Duration.ofSeconds(5))
                .backoff(Duration.ofNanos(1), Duration.ofNanos(1))
                .build();
        time.pass(Duration.ofSeconds(1));
        server.then(LOSES_THE_ANSWER, answers(status, "", "Retry-After", "9"));
        Answer answer = client.send(INTENT, post().build());
        boolean mayHaveRun =
                answer instanceof Refused it ? it.mayHaveRun() : unknown(answer).mayHaveRun();
        assertTrue(mayHaveRun, answer.toString());
        assertEquals(List.of(INTENT.name()), client.pending());
        assertEquals(
                "charge-1",
                definitive(client.send(INTENT, post().build())).response().text());
        assertEquals(1, server.keys().size());
        assertEquals(1, server.effects());
    }

    @Test
    void a_first_try_that_was_refused_is_repeated_with_the_same_key_and_known_not_to_have_run() {
        client = client().patience(Duration.ofSeconds(3)).build();
        server.then(answers(429, ""), answers(429, "", "Retry-After", "9"));
        StillUnknown answer = unknown(client.send(INTENT, post().build()));
        assertEquals(Ended.PATIENCE, answer.ended());
        assertFalse(answer.mayHaveRun());
        assertEquals(Duration.ofSeconds(9), answer.retryAfter());
        assertEquals(2, answer.attempts());
        assertEquals(answer.key(), definitive(client.sendRemembered(INTENT)).key());
        assertEquals(1, server.keys().size());
    }

    @Test
    void without_a_connection_nothing_was_sent() {
        URI nobody = server.uri("/");
        server.close();
        StillUnknown answer = unknown(client.send(
                INTENT,
                HttpRequest.newBuilder(nobody)
                        .POST(BodyPublishers.ofString("x"))
                        .build()));
        assertFalse(answer.mayHaveRun());
        assertEquals(List.of(INTENT.name()), client.pending());
    }

    @Test
    void a_broken_connection_and_a_slow_server_leave_it_open_whether_it_ran() {
        client = client().patience(Duration.ofMillis(300))
                .backoff(Duration.ofSeconds(9), Duration.ofSeconds(9))
                .random(() -> -1L >>> 1)
                .build();
        server.then(LOSES_THE_REQUEST, waitsFor(new Semaphore(0), LOSES_THE_REQUEST));
        assertTrue(unknown(client.send(INTENT, post().build())).mayHaveRun());
        assertTrue(unknown(client.send(Intent.of("slow"), post().build())).mayHaveRun());
    }

    @Test
    void a_500_settles_only_when_it_is_recorded() {
        server.then(answers(500, "oh"), answers(502, ""), answers(500, "oh", "Idempotent-Replayed", "true"));
        Definitive answer = definitive(client.send(INTENT, post().build()));
        assertEquals(500, answer.response().status());
        assertEquals(3, server.seen().size());
    }

    @Test
    void what_is_settled_is_answered_from_the_ledger_also_to_the_next_process() {
        Definitive first = definitive(client.send(INTENT, post().build()));
        ledger.close();
        ledger = FileLedger.open(folder.resolve("ledger"));
        Definitive again = definitive(client().build().send(INTENT, post().build()));
        assertEquals(first.response().text(), again.response().text());
        assertEquals(first.key(), again.key());
        assertTrue(again.replayed());
        assertTrue(first.response().header("set-cookie").isPresent());
        assertTrue(again.response().header("set-cookie").isEmpty());
        assertEquals(1, server.seen().size());
    }

    @Test
    void a_new_operation_of_the_same_intent_gets_a_new_key_only_after_the_former_ended_and_the_caller_says_so() {
        client = client().patience(Duration.ofSeconds(5)).build();
        server.then(answers(503, "", "Retry-After", "9"));
        unknown(client.send(INTENT, post().build()));
        assertThrows(IllegalStateException.class, () -> client.rotate(INTENT));
        Definitive first = definitive(client.send(INTENT, post().build()));
        client.rotate(INTENT);
        Definitive second = definitive(client.send(INTENT, post().build()));
        assertNotEquals(first.key(), second.key());
        assertEquals(2, server.effects());
    }

    @Test
    void an_intent_with_another_request_is_refused_while_pending_and_after() {
        HttpRequest other = post().POST(BodyPublishers.ofString("{}")).build();
        client = client().patience(Duration.ofSeconds(5)).build();
        server.then(answers(503, "", "Retry-After", "9"));
        unknown(client.send(INTENT, post().build()));
        Refused pending = refused(client.send(INTENT, other));
        assertEquals(Refusal.INTENT_DIFFERS, pending.reason());
        definitive(client.sendRemembered(INTENT));
        assertEquals(Refusal.INTENT_DIFFERS, refused(client.send(INTENT, other)).reason());
        assertEquals(2, server.seen().size());
    }

    @Test
    void a_derived_key_is_the_same_without_the_ledger_and_cannot_be_rotated() {
        Intent derived = Intent.derived("ann", "charge", "order/17", "first");
        Definitive answer = definitive(client.send(derived, post().build()));
        assertEquals(5, UUID.fromString(answer.key()).version());
        assertThrows(IllegalArgumentException.class, () -> client.rotate(derived));
        try (FileLedger lost = FileLedger.open(folder.resolve("other"))) {
            Intent same = Intent.derived("ann", "charge", "order/17", "first");
            assertEquals(
                    answer.key(),
                    definitive(SemelClient.on(lost).build().send(same, post().build()))
                            .key());
        }
        assertEquals(1, server.effects());
        assertNotEquals(
                derived.name(),
                Intent.derived("ann", "charge", "order", "17/first").name());
    }

    /** A derived key is for when the ledger may be lost: then the first try that this ledger knows is not the first. */
    @Test
    void a_derived_key_that_this_ledger_did_not_know_may_have_run_before() {
        client = client().patience(Duration.ofSeconds(2)).build();
        Intent derived = Intent.derived("ann", "charge", "order/17", "first");
        server.then(answers(401, ""));
        assertTrue(refused(client.send(derived, post().build())).mayHaveRun());
        server.then(answers(409, ""));
        assertEquals(
                "charge-1",
                definitive(client.send(derived, post().build())).response().text());
    }

    @Test
    void a_problem_is_read_however_little_of_answers_is_kept() {
        client = client().limits(1000, 16).patience(Duration.ofSeconds(2)).build();
        server.then(problem(409, "outcome-unknown"));
        Definitive answer = definitive(client.send(INTENT, post().build()));
        assertEquals("charge-1", answer.response().text());
        assertEquals(2, server.seen().size());
    }

    @Test
    void problems_of_the_key_are_refusals_that_free_the_intent_when_nothing_ran() {
        server.then(problem(422, "key-reused"));
        Refused answer = refused(client.send(INTENT, post().build()));
        assertEquals(Refusal.KEY_REUSED, answer.reason());
        assertFalse(answer.mayHaveRun());
        assertNull(client.find(INTENT));
        Definitive next = definitive(client.send(INTENT, post().build()));
        assertNotEquals(answer.key(), next.key());
    }

    @Test
    void a_spent_key_means_that_it_happened_and_stays_so() {
        server.then(LOSES_THE_ANSWER, problem(410, "key-spent"));
        assertEquals(
                Refusal.KEY_SPENT, refused(client.send(INTENT, post().build())).reason());
        assertEquals(
                Refusal.KEY_SPENT, refused(client.send(INTENT, post().build())).reason());
        assertEquals(2, server.seen().size());
    }

    @Test
    void an_outcome_that_nobody_knows_stays_pending_with_where_to_look() {
        client = client().patience(Duration.ofSeconds(2)).build();
        for (int i = 0; i < 50; i++) server.then(problem(409, "outcome-unknown", "Location", "/.semel/v1/keys/k"));
        StillUnknown answer = unknown(client.send(INTENT, post().build()));
        assertTrue(answer.mayHaveRun());
        assertEquals("/.semel/v1/keys/k", answer.response().header("Location").orElseThrow());
        assertTrue(client.abandon(INTENT));
        assertEquals(List.of(), client.pending());
    }

    @Test
    void retry_after_is_kept_to_in_seconds_and_as_a_date_up_to_a_limit() {
        client = client().patience(Duration.ofMinutes(10))
                .backoff(Duration.ofNanos(1), Duration.ofNanos(1))
                .build();
        server.then(
                answers(429, "", "Retry-After", "7"),
                answers(503, "", "Retry-After", "Thu, 01 Jan 2026 00:00:30 GMT"),
                answers(503, "", "Retry-After", "86400"),
                answers(503, "", "Retry-After", "99999999999999999999"),
                answers(503, "", "Retry-After", "soon"));
        definitive(client.send(INTENT, post().build()));
        List<Long> seconds = time.pauses().stream().map(Duration::toSeconds).toList();
        assertEquals(7, seconds.get(0));
        assertTrue(seconds.get(1) == 22 || seconds.get(1) == 23, seconds.toString());
        assertEquals(List.of(60L, 60L, 0L), seconds.subList(2, 5));
    }

    @Test
    void pauses_are_anything_up_to_a_bound_that_doubles() {
        Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));
        for (int failed = 1; failed <= 70; failed++)
            assertEquals(Math.min(10, 1L << Math.min(failed - 1, 10)), seconds(longest(backoff, failed)), "" + failed);
    }

    /** Of many: its bound, nearly; and the shortest is nearly nothing. */
    private static Duration longest(Backoff backoff, int failed) {
        Random random = new Random(failed);
        List<Duration> pauses = Stream.generate(() -> backoff.pause(failed, random))
                .limit(2000)
                .sorted()
                .toList();
        assertTrue(pauses.getFirst().toMillis() < 100, pauses.getFirst().toString());
        return pauses.getLast();
    }

    private static long seconds(Duration rounded) {
        return Math.round(rounded.toMillis() / 1000.0);
    }

    @Test
    void when_the_server_is_down_the_budget_ends_the_retries_of_all_calls() {
        client = client().retryBudget(RetryBudget.of(5, 0.1, 0)).build();
        for (int i = 0; i < 200; i++) server.then(answers(503, "", "Retry-After", "0"));
        for (int i = 0; i < 40; i++) unknown(client.send(Intent.of("i" + i), post().build()));
        assertEquals(40 + 5 + 3, server.seen().size(), 1.0);
        assertEquals(
                Ended.BUDGET,
                unknown(client.send(Intent.of("last"), post().build())).ended());
        assertEquals(41, client.pending().size());
    }

    @Test
    void after_its_deadline_a_call_is_never_sent_again() {
        client = client().patience(Duration.ofSeconds(30))
                .deadline(Duration.ofHours(1))
                .build();
        for (int i = 0; i < 100; i++) server.then(LOSES_THE_ANSWER);
        assertEquals(
                Ended.PATIENCE, unknown(client.send(INTENT, post().build())).ended());
        time.pass(Duration.ofHours(1));
        int sent = server.seen().size();
        StillUnknown late = unknown(client.sendRemembered(INTENT));
        assertEquals(Ended.DEADLINE, late.ended());
        assertTrue(late.mayHaveRun());
        assertEquals(
                Ended.DEADLINE, unknown(client.send(INTENT, post().build())).ended());
        assertEquals(sent, server.seen().size());
    }

    @Test
    void credentials_are_asked_for_every_try_and_never_written() throws Exception {
        AtomicInteger tokens = new AtomicInteger();
        client = client().credentials(call -> Map.of("Authorization", "Bearer secret-" + tokens.incrementAndGet()))
                .build();
        server.then(LOSES_THE_ANSWER, answers(401, ""));
        definitive(client.send(INTENT, post().build()));
        assertEquals(
                List.of("Bearer secret-1", "Bearer secret-2", "Bearer secret-3"),
                server.seen().stream()
                        .map(seen -> seen.headers().get("Authorization"))
                        .toList());
        assertFalse(everything().contains("secret"));
    }

    /** Every record of the ledger, decoded. */
    private String everything() throws Exception {
        StringBuilder text = new StringBuilder();
        for (String line : Files.readAllLines(folder.resolve("ledger"))) {
            String[] words = line.split(" ");
            if (words.length == 4)
                text.append(new String(java.util.Base64.getDecoder().decode(words[3]), StandardCharsets.ISO_8859_1));
        }
        assertTrue(text.indexOf("1999") > 0);
        return text.toString();
    }

    @Test
    void without_credentials_nothing_is_sent_and_the_call_stays_pending() {
        SemelClient locked = client().credentials(call -> {
                    throw new IllegalStateException("the vault is closed");
                })
                .build();
        StillUnknown answer = unknown(locked.send(INTENT, post().build()));
        assertEquals(Ended.CREDENTIALS, answer.ended());
        assertFalse(answer.mayHaveRun());
        assertEquals("the vault is closed", answer.failure().getMessage());
        definitive(client.sendRemembered(INTENT));
    }

    @Test
    void redirects_are_not_followed() {
        server.then(answers(308, "", "Location", server.uri("/elsewhere").toString()));
        Refused answer = refused(client.send(INTENT, post().build()));
        assertEquals(Refusal.REDIRECTED, answer.reason());
        assertEquals(1, server.seen().size());
        assertThrows(
                IllegalArgumentException.class,
                () -> client().http(HttpClient.newBuilder()
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .build()));
    }

    @Test
    void an_answer_that_is_too_long_is_cut_and_says_so() {
        client = client().limits(1000, 10).build();
        server.then(answers(200, "0123456789abc"));
        Definitive answer = definitive(client.send(INTENT, post().build()));
        assertEquals("0123456789", answer.response().text());
        assertFalse(answer.response().whole());
        server.then(problem(201, "response-not-kept", "Idempotent-Replayed", "true"));
        client = client().build();
        assertFalse(definitive(client.send(Intent.of("other"), post().build()))
                .response()
                .whole());
    }

    @Test
    void bad_input_is_refused_clearly_and_nothing_is_written_or_sent() throws Exception {
        client = client().limits(20, 1000).build();
        long before = Files.size(folder.resolve("ledger"));
        refuses("20 bytes", post().POST(BodyPublishers.ofString("x".repeat(21))));
        refuses("20 bytes", post().POST(BodyPublishers.fromPublisher(BodyPublishers.ofString("x".repeat(21)))));
        refuses("Authorization", post().header("Authorization", "Bearer x"));
        for (String secret : List.of("X-Api-Key", "X-Api_Key", "Ocp-Apim-Subscription-Key", "X-Auth-Key"))
            refuses(secret, post().header(secret, "x"));
        refuses("Cookie", post().header("Cookie", "x"));
        refuses("user or password", HttpRequest.newBuilder(URI.create("http://ann:pw@127.0.0.1/")));
        refuses("several", post().header("Idempotency-Key", "a").header("Idempotency-Key", "b"));
        refuses("255", post().header("Idempotency-Key", "x".repeat(256)));
        refuses("255", post().header("Idempotency-Key", "a b"));
        assertThrows(IllegalArgumentException.class, () -> Intent.of(" "));
        assertThrows(IllegalArgumentException.class, () -> Intent.of("x".repeat(501)));
        assertThrows(IllegalArgumentException.class, () -> Intent.of("a\nb"));
        assertThrows(IllegalArgumentException.class, () -> Intent.derived("ann", "", "r", "i"));
        assertThrows(NullPointerException.class, () -> client.send(INTENT, null));
        assertThrows(NullPointerException.class, () -> client.send(null, post().build()));
        assertThrows(NullPointerException.class, () -> Intent.of(null));
        assertThrows(IllegalArgumentException.class, () -> client().patience(Duration.ZERO));
        assertEquals(before, Files.size(folder.resolve("ledger")));
        assertEquals(0, server.seen().size());
        refused(client.sendRemembered(INTENT));
    }

    private void refuses(String why, HttpRequest.Builder request) {
        String message = assertThrows(IllegalArgumentException.class, () -> client.send(INTENT, request.build()))
                .getMessage();
        assertTrue(message.contains(why), message);
    }

    @Test
    void a_key_that_the_request_carries_is_the_key() {
        client = client().patience(Duration.ofSeconds(5)).quotedKeys().build();
        HttpRequest own = post().header("Idempotency-Key", "\"my-key\"").build();
        server.then(answers(503, "", "Retry-After", "9"));
        assertEquals("my-key", unknown(client.send(INTENT, own)).key());
        Refused other = refused(
                client.send(INTENT, post().header("Idempotency-Key", "other").build()));
        assertEquals(Refusal.INTENT_DIFFERS, other.reason());
        assertEquals("my-key", definitive(client.send(INTENT, post().build())).key());
        assertEquals(List.of("\"my-key\""), server.keys());
    }

    @Test
    void many_threads_with_one_intent_send_one_request() throws Exception {
        Semaphore letGo = new Semaphore(0);
        server.then(waitsFor(letGo, ScriptedServer.CHARGES));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) answers.add(threads.submit(() -> client.send(INTENT, post().build())));
            server.awaitRequest();
            letGo.release();
            for (Future<Answer> answer : answers)
                assertEquals("charge-1", definitive(answer.get()).response().text());
        }
        assertEquals(1, server.seen().size());
    }

    @Test
    void an_interrupted_thread_stops_and_leaves_the_call_pending_and_the_ledger_open() throws Exception {
        server.then(waitsFor(new Semaphore(0), LOSES_THE_REQUEST));
        AtomicReference<Answer> answer = new AtomicReference<>();
        Thread sending = Thread.startVirtualThread(() -> {
            answer.set(client.send(INTENT, post().build()));
            assertTrue(Thread.currentThread().isInterrupted());
        });
        server.awaitRequest();
        sending.interrupt();
        sending.join();
        assertEquals(Ended.INTERRUPTED, unknown(answer.get()).ended());
        assertTrue(unknown(answer.get()).mayHaveRun());
        assertEquals(
                answer.get().key(), definitive(client.sendRemembered(INTENT)).key());
    }

    @Test
    void settled_calls_are_forgotten_after_a_while_and_pending_ones_never() throws Exception {
        client = client().keepSettled(Duration.ofDays(2))
                .patience(Duration.ofSeconds(5))
                .build();
        definitive(client.send(INTENT, post().build()));
        server.then(answers(503, "", "Retry-After", "9"));
        unknown(client.send(Intent.of("pending"), post().build()));
        time.pass(Duration.ofDays(3));
        client.resume();
        assertNull(client.find(INTENT));
        assertInstanceOf(Entry.Pending.class, client.find(Intent.of("pending")));
    }
}
