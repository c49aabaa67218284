package dev.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The words that scenarios are told in. Each adds a step; {@link #effects} adds the last one. For one thread. */
public final class Draft {
    private final String name;
    private final List<Scenario.Step> steps = new ArrayList<>();

    Draft(String name) {
        this.name = name;
    }

    private Draft step(String what, Scenario.Deed deed) {
        steps.add(new Scenario.Step(what, deed));
        return this;
    }

    /** From here on everything is sent to the subject with this set-up. */
    public Draft at(SetUp setUp) {
        return step("at the subject that is " + setUp, scene -> scene.at(setUp));
    }

    /** Sends a request on a connection of its own and checks the answer. */
    public Draft send(RawRequest request, Expect... expected) {
        return step("send " + request, scene -> scene.check(scene.exchange(request), expected));
    }

    /** Sends a request that is made of earlier answers. */
    public Draft send(Call call, Expect... expected) {
        return step("send", scene -> scene.check(scene.exchange(call.in(scene)), expected));
    }

    /** The answer takes at least that long. */
    public Draft sendAndWait(Duration atLeast, RawRequest request, Expect... expected) {
        return step("send and wait " + request, scene -> {
            long began = System.nanoTime();
            scene.check(scene.exchange(request), expected);
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            assertTrue(took.compareTo(atLeast) >= 0, "took only " + took);
        });
    }

    /** Sends a request so many bytes at a time. */
    public Draft sendInPieces(int size, RawRequest request, Expect... expected) {
        return step("send in pieces " + request, scene -> {
            RawHttp connection = scene.connect();
            connection.sendInPieces(scene.bytes(request), size);
            scene.check(connection.receive(request.method()), expected);
        });
    }

    /** Sends several requests on one connection, one after the other; {@link #answer} looks at what came back. */
    public Draft sendOnOneConnection(RawRequest... requests) {
        return step("send on one connection " + List.of(requests), scene -> {
            RawHttp connection = scene.connect();
            for (RawRequest request : requests) {
                connection.send(scene.bytes(request));
                scene.check(connection.receive(request.method()));
            }
        });
    }

    /** Sends several requests on one connection without waiting for an answer in between. */
    public Draft pipeline(RawRequest... requests) {
        return step("pipeline " + List.of(requests), scene -> {
            RawHttp connection = scene.connect();
            for (RawRequest request : requests) connection.send(scene.bytes(request));
            for (RawRequest request : requests) scene.check(connection.receive(request.method()));
        });
    }

    /** Sends the head, waits for 100 Continue, then sends the body. */
    public Draft sendAfterContinue(RawRequest request, Expect... expected) {
        return step("send after 100 Continue " + request, scene -> {
            RawHttp connection = scene.connect();
            byte[] all = scene.bytes(request);
            int body = request.body() == null ? 0 : request.body().length;
            connection.send(all, 0, all.length - body);
            assertEquals(100, connection.receiveInterim());
            connection.send(all, all.length - body, all.length);
            scene.check(connection.receive(request.method()), expected);
        });
    }

    /** Looks again at an answer; the first one is 1. */
    public Draft answer(int number, Expect... expected) {
        return step("answer " + number, scene -> scene.checkAgain(number, expected));
    }

    /** Sends a request whose answer is seen to break off. */
    public Draft sendAndSeeCutOff(RawRequest request) {
        return step("send and see cut off " + request, scene -> {
            Received received = scene.exchange(request);
            assertInstanceOf(Received.CutOff.class, received);
            scene.say(received.toString());
        });
    }

    /** Sends these very bytes. They are refused with one of these statuses, or with a closed connection alone. */
    public Draft refuses(String raw, Integer... statuses) {
        return step("send bytes", scene -> {
            refuse(scene, scene.connect(), raw, statuses);
        });
    }

    private static void refuse(Scene scene, RawHttp connection, String raw, Integer... statuses) throws IOException {
        connection.send(scene.filledIn(raw));
        Received received = connection.receive("POST");
        scene.say(received.toString());
        if (received instanceof Received.Response response)
            assertTrue(List.of(statuses).contains(response.status()), "status " + response.status());
        else assertEquals(0, ((Received.CutOff) received).count(), "no half answers");
        assertTrue(connection.isEnded(), "the connection must be closed");
    }

    /** Sends a good request, then these very bytes on the same connection, which are refused. */
    public Draft refusesAfter(RawRequest good, String raw, Integer... statuses) {
        return step("send a good request, then bytes", scene -> {
            RawHttp connection = scene.connect();
            connection.send(scene.bytes(good));
            scene.check(connection.receive(good.method()));
            refuse(scene, connection, raw, statuses);
        });
    }

    /** Sends these very bytes and checks the answer. */
    public Draft sendBytes(String raw, Expect... expected) {
        return step("send bytes", scene -> {
            RawHttp connection = scene.connect();
            connection.send(scene.filledIn(raw));
            scene.check(connection.receive("POST"), expected);
        });
    }

    /** The server closes the connection after this answer. */
    public Draft sendAndSeeClose(RawRequest request, Expect... expected) {
        return step("send and see close " + request, scene -> {
            RawHttp connection = scene.connect();
            connection.send(scene.bytes(request));
            scene.check(connection.receive(request.method()), expected);
            assertTrue(connection.isEnded(), "the connection must be closed");
        });
    }

    /** Sends a request and does not wait for the answer. */
    public Draft start(RawRequest request) {
        return start(1, request);
    }

    /** Sends a request that is made of earlier answers, and does not wait for the answer. */
    public Draft start(Call call) {
        return step("start", scene -> scene.start(1, call.in(scene)));
    }

    /** So many equal requests, whose last bytes leave at the same time. Nobody waits for the answers yet. */
    public Draft start(int count, RawRequest request) {
        return step("start " + count + " x " + request, scene -> scene.start(count, request));
    }

    /** Waits until so many requests of this scenario have reached the upstream. */
    public Draft arrived(int count) {
        return step("wait for " + count + " at the upstream", scene -> scene.awaitArrivals(count));
    }

    /** Waits for the next so many answers to started requests, whichever they are, and checks each. */
    public Draft answered(int count, Expect... expected) {
        return step("wait for " + count + " answers", scene -> {
            for (int i = 0; i < count; i++) scene.check(scene.nextAnswer(), expected);
        });
    }

    /** Waits for as many answers to started requests as there are expectations: each is met by one of them. */
    public Draft answeredInAnyOrder(Expect... expected) {
        return step("wait for " + expected.length + " answers in any order", scene -> {
            List<Received.Response> answers = new ArrayList<>();
            for (int i = 0; i < expected.length; i++) answers.add(scene.check(scene.nextAnswer()));
            for (Expect expect : expected) Alike.takeOutOne(answers, expect, scene);
        });
    }

    /**
     * Sends so many requests with keys of their own to an upstream that comes and goes. Whatever each is told must be
     * true of its key, then and when it is sent again.
     */
    public Draft churn(int count, RawRequest request) {
        return step("churn " + count + " x " + request, scene -> {
            for (int i = 0; i < count; i++) Truth.check(scene, request.key("{key}-" + i), scene.key() + "-" + i);
        });
    }

    /** Waits for all other answers to started requests: one fresh, the rest replays of it, but for these exceptions. */
    public Draft answeredAlike(int status, Integer... exceptions) {
        return step("wait for answers that are alike", scene -> {
            List<Received> answers = scene.otherAnswers();
            for (int exception : exceptions) Alike.takeOut(answers, exception);
            Alike.check(scene, answers, status);
        });
    }

    /** For so many keys in turn: so many equal requests at the same time. One is fresh, the rest replays of it. */
    public Draft race(int keys, int count, RawRequest request, int status) {
        return step("race " + keys + " times " + count + " x " + request, scene -> {
            for (int i = 0; i < keys; i++) {
                scene.start(count, request.key("{key}-" + i));
                Alike.check(scene, scene.otherAnswers(), status);
                assertEquals(1, scene.ledger().effectsOfKey(scene.key() + "-" + i), "effects in round " + i);
            }
        });
    }

    /** Lets the upstream go on behind its gate. */
    public Draft openGate() {
        return step("open the gate", Scene::openGate);
    }

    public Draft openGate(int attempt) {
        return step("open the gate for attempt " + attempt, scene -> scene.openGate(attempt));
    }

    /** Reads the first half of a streamed answer before the upstream has begun the second. */
    public Draft sendAndStream(RawRequest request, Expect... expected) {
        return step("stream " + request, scene -> {
            RawHttp connection = scene.connect();
            connection.send(scene.bytes(request));
            scene.check(connection.receiveInTwo("first".length(), scene::openGate), expected);
        });
    }

    /** Sends all but the last so many bytes, sees the request arrive at the upstream, then sends the rest. */
    public Draft sendAndStreamUp(int held, RawRequest request, Expect... expected) {
        return step("stream up " + request, scene -> {
            RawHttp connection = scene.connect();
            byte[] all = scene.bytes(request);
            connection.send(all, 0, all.length - held);
            scene.awaitArrivals(1);
            connection.send(all, all.length - held, all.length);
            scene.check(connection.receive(request.method()), expected);
        });
    }

    /** Sends a request and goes away at once, in the orderly way. */
    public Draft sendAndHangUp(RawRequest request) {
        return step("send and hang up " + request, scene -> {
            RawHttp connection = scene.connect();
            connection.send(scene.bytes(request));
            connection.hangUp();
        });
    }

    /** Sends a request, sees it reach the upstream, and goes away like a machine that crashed. */
    public Draft sendAndCrash(RawRequest request) {
        return step("send and crash " + request, scene -> {
            RawHttp connection = scene.connect();
            connection.send(scene.bytes(request));
            scene.awaitArrivals(1);
            connection.reset();
        });
    }

    /** Goes away before the last so many bytes were sent. */
    public Draft hangUpBeforeTheLast(int bytes, RawRequest request) {
        return step("hang up in the middle of " + request, scene -> {
            RawHttp connection = scene.connect();
            byte[] all = scene.bytes(request);
            connection.send(all, 0, all.length - bytes);
            connection.hangUp();
        });
    }

    /** Lets time pass on the clock of the subject. */
    public Draft later(Duration time) {
        return step(time + " later", scene -> scene.pass(time));
    }

    /** From here on the subject's store answers nothing. */
    public Draft storeGoesDown() {
        return step("the store goes down", scene -> scene.storeDown(true));
    }

    public Draft storeComesBack() {
        return step("the store comes back", scene -> scene.storeDown(false));
    }

    public Draft openBackDoor() {
        return step("open the back door", scene -> scene.upstream().openBackDoor());
    }

    /** So many requests of this scenario came to the upstream until now. */
    public Draft reached(int count) {
        return step(
                "upstream reached " + count + " times",
                scene -> assertEquals(count, scene.seen().size()));
    }

    /** Looks at a request as the upstream saw it; the first one is 1. */
    public Draft upstreamSaw(int number, Sight... sights) {
        return step("upstream saw request " + number, scene -> {
            assertTrue(scene.seen().size() >= number, "so many requests must have come: " + number);
            for (Sight sight : sights) sight.check(scene.seen().get(number - 1), scene);
        });
    }

    /** Each fencing token that the upstream saw is a whole number above the one before. */
    public Draft tokensGrow() {
        return step("tokens grow", scene -> {
            long last = 0;
            for (SeenRequest request : scene.seen()) {
                String token = String.valueOf(request.headers().first("Semel-Fencing-Token"));
                assertTrue(token.matches("[0-9]{1,18}"), "a token: " + token);
                assertTrue(Long.parseLong(token) > last, token + " comes after " + last);
                last = Long.parseLong(token);
            }
        });
    }

    /** Where the Location of an answer leads. */
    public Draft follow(int answer, Expect... expected) {
        return step("follow the Location of answer " + answer, scene -> {
            String location = String.valueOf(scene.response(answer).headers().first("Location"));
            assertTrue(location.contains("/.semel/v1/keys/"), "Location: " + location);
            String target = location.substring(location.indexOf("/.semel/"));
            scene.check(scene.exchange(RawRequest.get(target)), expected);
        });
    }

    /** Ends the scenario: the operation happened so often, and nobody sent anything that no scenario asked for. */
    public Scenario effects(int count) {
        return step("effects", scene -> assertEquals(count, scene.ledger().effects(scene.id()), "effects"))
                .effectsAsTold();
    }

    /** Ends a scenario that has counted its effects key by key. */
    public Scenario effectsAsTold() {
        step("nothing else came", scene -> {
            assertEquals(List.of(), scene.strays(), "requests that nobody sent");
            assertEquals(List.of(), scene.complaints(), "what came to the upstream and was no HTTP");
        });
        return new Scenario(name, List.copyOf(steps));
    }
}
