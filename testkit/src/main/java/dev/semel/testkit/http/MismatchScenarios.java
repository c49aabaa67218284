package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replay;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.Scenario.scenario;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A key that comes with another operation is a mistake of the client, and is told so. */
final class MismatchScenarios {
    private static final RawRequest CHARGE = charge("/required/charges");
    private static final byte[] CHARGE_BODY = Bytes.utf8("{\"amount\":1250,\"currency\":\"EUR\"}");
    private static final Expect REUSED = problem(422, "key-reused");

    private MismatchScenarios() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>(otherOperations());
        all.addAll(sameOperationWrittenAnotherWay());
        all.addAll(inEveryState());
        strange().forEach((what, body) -> all.add(byteByByte(what, body)));
        return all;
    }

    private static List<Scenario> otherOperations() {
        return List.of(
                other("another amount", CHARGE.json("{\"amount\":9900,\"currency\":\"EUR\"}")),
                other("one more member", CHARGE.json("{\"amount\":1250,\"currency\":\"EUR\",\"a\":null}")),
                other("a number as text", CHARGE.json("{\"amount\":\"1250\",\"currency\":\"EUR\"}")),
                other("no body", CHARGE.json("")),
                other("a query", CHARGE.to("/required/charges?dry=1")),
                other("another content type", CHARGE.body("text/plain", CHARGE_BODY)),
                other("no content type", CHARGE.without("Content-Type")),
                scenario("the same bytes as another type of text are another operation")
                        .send(CHARGE.body("text/plain", Bytes.utf8("a")), fresh(201))
                        .send(CHARGE.body("text/csv", Bytes.utf8("a")), REUSED)
                        .effects(1),
                scenario("the same JSON as another type of JSON is another operation")
                        .send(CHARGE, fresh(201))
                        .send(CHARGE.body("application/vnd.api+json", CHARGE_BODY), REUSED)
                        .effects(1),
                scenario("a route with a name in it is one operation: another path under it is a mistake")
                        .send(charge("/named/charges/1"), fresh(201))
                        .send(charge("/named/charges/2"), REUSED)
                        .send(charge("/named/charges/1"), replay())
                        .effects(1),
                scenario("a route with a rest is many operations: another path under it is another one")
                        .send(charge("/required/charges/1"), fresh(201))
                        .send(charge("/required/charges/2"), fresh(201))
                        .send(charge("/required/charges/2"), replayOf(2))
                        .effects(2),
                scenario("a query that reads alike when run together is another one (D8)")
                        .send(CHARGE.to("/required/charges?a=1&b=2"), fresh(201))
                        .send(CHARGE.to("/required/charges?a=1%26b=2"), REUSED)
                        .send(CHARGE.to("/required/charges?a=1b&=2"), REUSED)
                        .effects(1));
    }

    private static Scenario other(String what, RawRequest request) {
        return scenario("a key that comes again with " + what + " is refused, and its outcome stays")
                .send(CHARGE, fresh(201))
                .send(request, REUSED)
                .send(CHARGE, replay())
                .reached(1)
                .effects(1);
    }

    private static List<Scenario> sameOperationWrittenAnotherWay() {
        RawRequest sent = charge("/loose/charges").json("{\"amount\":1,\"metadata\":{\"sentAt\":\"now\"}}");
        return List.of(
                same("members in another order", "{\"currency\":\"EUR\",\"amount\":12.5}"),
                same("white space", " {\n\t\"amount\" : 12.5 ,\r\n \"currency\" : \"EUR\" } "),
                same("numbers spelled another way", "{\"amount\":1.250e1,\"currency\":\"EUR\"}"),
                same("letters escaped", "{\"amount\":12.5,\"\\u0063urrency\":\"\\u0045UR\"}"),
                scenario("the order of query parameters does not matter")
                        .send(CHARGE.to("/required/charges?a=1&b=2"), fresh(201))
                        .send(CHARGE.to("/required/charges?b=2&a=1"), replay())
                        .effects(1),
                scenario("an excluded member does not count, every other one does")
                        .send(sent, fresh(201))
                        .send(sent.json("{\"amount\":1,\"metadata\":{\"sentAt\":\"later\"}}"), replay())
                        .send(sent.json("{\"amount\":2,\"metadata\":{\"sentAt\":\"now\"}}"), REUSED)
                        .effects(1));
    }

    private static Scenario same(String what, String json) {
        return scenario("the same JSON with " + what + " is the same operation")
                .send(CHARGE.json("{\"amount\":12.5,\"currency\":\"EUR\"}"), fresh(201))
                .send(CHARGE.json(json), replay())
                .effects(1);
    }

    private static List<Scenario> inEveryState() {
        RawRequest gate = charge("/required/gate");
        RawRequest refused = charge("/required/refuse-once");
        RawRequest lost = charge("/required/dies-after");
        return List.of(
                scenario("while the first attempt runs, another operation is refused at once")
                        .start(gate)
                        .arrived(1)
                        .send(gate.json("{}"), REUSED)
                        .openGate()
                        .answered(1, fresh(201))
                        .send(gate, replayOf(2))
                        .effects(1),
                scenario("a key that was freed keeps its first operation (D18)")
                        .send(refused, status(503))
                        .send(refused.json("{}"), REUSED)
                        .send(refused, fresh(201))
                        .effects(1),
                scenario("a key in doubt keeps its first operation")
                        .send(lost, problem(502, "outcome-unknown"))
                        .send(lost.json("{}"), REUSED)
                        .send(lost, problem(409, "outcome-unknown"))
                        .reached(1)
                        .effects(1));
    }

    /** Bodies that have no canonical form. The blank in each is where another spelling of the same thing differs. */
    private static Map<String, String> strange() {
        int depth = 100_000;
        Map<String, String> bodies = new LinkedHashMap<>();
        bodies.put("invalid JSON", "{\"amount\": 1250,}");
        bodies.put("JSON that is cut off", "{\"amount\": 1250");
        bodies.put("two JSON texts", "{} {}");
        bodies.put("invalid UTF-8", "{\"name\": \"\u00ff\u00fe\"}");
        bodies.put("UTF-8 of half a surrogate pair", "{\"name\": \"\u00ed\u00a0\u0080\"}");
        bodies.put("half a surrogate pair", "{\"name\": \"\\ud800\"}");
        bodies.put("a name twice (RFC 8785 has no form for it)", "{\"amount\":1, \"amount\":2}");
        bodies.put("a huge exponent (D9)", "{\"amount\": 1e999999999}");
        bodies.put("a huge negative exponent (D9)", "{\"amount\": 1e-999999999}");
        bodies.put("a number of 100,000 digits", "{\"amount\": 1" + "0".repeat(100_000) + "}");
        bodies.put("100,000 arrays deep", " " + "[".repeat(depth) + "]".repeat(depth));
        bodies.put("100,000 objects deep and cut off", " " + "{\"a\":".repeat(depth));
        return bodies;
    }

    private static Scenario byteByByte(String what, String latin1) {
        RawRequest request = CHARGE.body("application/json", latin1.getBytes(StandardCharsets.ISO_8859_1));
        byte[] spelledAnotherWay = latin1.replaceFirst(" ", "  ").getBytes(StandardCharsets.ISO_8859_1);
        return scenario("a body counts byte by byte: " + what)
                .send(request, fresh(201))
                .send(request, replay())
                .send(request.body("application/json", spelledAnotherWay), REUSED)
                .effects(1);
    }
}
