package dev.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One telling of a scenario: its own key, its connections, what was said so far. Closing it ends whatever it began. For
 * one thread.
 */
public final class Scene implements AutoCloseable {
    private static final int LONGEST_TRANSCRIPT = 12_000;

    private final HttpContract subject;
    private final String id = "s-" + UUID.randomUUID();
    private final String key = "k-" + UUID.randomUUID();
    private final StringBuilder transcript = new StringBuilder();
    private final int straysBefore;
    private final int complaintsBefore;
    private final List<RawHttp> connections = new ArrayList<>();
    private final List<Received.Response> answers = new ArrayList<>();
    private final BlockingQueue<Outcome> arriving = new LinkedBlockingQueue<>();
    private int awaited;
    private SetUp setUp = SetUp.PLAIN;

    Scene(HttpContract subject) {
        this.subject = subject;
        this.straysBefore = ledger().strays().size();
        this.complaintsBefore = ledger().complaints().size();
    }

    /** How reading one of many answers ended. */
    private record Outcome(
            @Nullable Received received, @Nullable Throwable failure) {}

    /** From here on it goes on at another front. */
    void at(SetUp other) {
        setUp = other;
    }

    private Map<String, String> names() {
        String host = subject.front(setUp).getHostString() + ":"
                + subject.front(setUp).getPort();
        return Map.of("key", key, "scenario", id, "host", host);
    }

    String id() {
        return id;
    }

    String key() {
        return key;
    }

    ScriptedUpstream upstream() {
        return subject.upstream();
    }

    Ledger ledger() {
        return upstream().ledger();
    }

    List<SeenRequest> seen() {
        return ledger().seen(id);
    }

    /** What came to the upstream meanwhile that nobody sent. */
    List<SeenRequest> strays() {
        List<SeenRequest> all = ledger().strays();
        return all.subList(straysBefore, all.size());
    }

    /** What came to the upstream meanwhile that was no HTTP. */
    List<String> complaints() {
        List<String> all = ledger().complaints();
        return all.subList(complaintsBefore, all.size());
    }

    void pass(Duration time) {
        subject.pass(time);
    }

    void storeDown(boolean down) {
        subject.storeDown(down);
    }

    void openGate() {
        upstream().gates().open(id);
    }

    void openGate(int attempt) {
        upstream().gates().open(id, attempt);
    }

    void awaitArrivals(int count) throws InterruptedException {
        assertTrue(ledger().awaitArrivals(id, count, subject.patience()), "did not reach the upstream in time");
    }

    String fill(String text) {
        return RawRequest.fill(text, names());
    }

    /** A raw text as bytes, one per char. */
    byte[] filledIn(String raw) {
        return Wire.latin1(fill(raw));
    }

    byte[] bytes(RawRequest request) {
        RawRequest complete = request.header(Ledger.SCENARIO, id);
        if (!complete.headers().has("Host")) complete = complete.header("Host", "{host}");
        return complete.filledIn(names()).bytes();
    }

    RawHttp connect() throws IOException {
        RawHttp connection = RawHttp.connect(subject.front(setUp), subject.patience());
        connections.add(connection);
        return connection;
    }

    Received exchange(RawRequest request) throws IOException {
        try (RawHttp connection = connect()) {
            connection.send(bytes(request));
            return connection.receive(request.method());
        }
    }

    /** All but the last byte of each first, then the last bytes: as much at the same time as a client can. */
    void start(int count, RawRequest request) throws IOException {
        byte[] bytes = bytes(request);
        List<RawHttp> started = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RawHttp connection = connect();
            connection.send(bytes, 0, bytes.length - 1);
            started.add(connection);
        }
        for (RawHttp connection : started) connection.send(bytes, bytes.length - 1, bytes.length);
        for (RawHttp connection : started) Thread.startVirtualThread(() -> await(connection, request.method()));
        awaited += count;
    }

    private void await(RawHttp connection, String method) {
        try (connection) {
            arriving.add(new Outcome(connection.receive(method), null));
        } catch (IOException | AssertionError e) {
            arriving.add(new Outcome(null, e));
        }
    }

    Received nextAnswer() throws InterruptedException {
        awaited--;
        Outcome next = arriving.poll(subject.patience().toMillis() + 1000, TimeUnit.MILLISECONDS);
        if (next == null) throw new AssertionError("No answer in time.");
        if (next.received() != null) return next.received();
        throw new AssertionError("No answer: " + next.failure(), next.failure());
    }

    List<Received> otherAnswers() throws InterruptedException {
        List<Received> others = new ArrayList<>();
        while (awaited > 0) others.add(nextAnswer());
        return others;
    }

    /** Notes an answer as the next one, and checks it. */
    Received.Response check(Received received, Expect... expected) {
        say(received.toString());
        answers.add(full(received));
        ProblemForm.check(answers.getLast());
        for (Expect expect : expected) expect.check(answers.getLast(), this);
        return answers.getLast();
    }

    void checkAgain(int number, Expect... expected) {
        for (Expect expect : expected) expect.check(response(number), this);
    }

    static Received.Response full(Received received) {
        if (received instanceof Received.Response response) return response;
        throw new AssertionError(received.toString());
    }

    Received.Response response(int number) {
        return answers.get(number - 1);
    }

    void say(String text) {
        if (transcript.length() < LONGEST_TRANSCRIPT) transcript.append(text).append('\n');
    }

    String transcript() {
        return transcript + "-- the upstream saw " + seen() + " and had " + ledger().effects(id) + " effects";
    }

    @Override
    public void close() throws IOException {
        subject.storeDown(false);
        openGate();
        upstream().shutBackDoor();
        for (RawHttp connection : connections) connection.close();
    }
}
