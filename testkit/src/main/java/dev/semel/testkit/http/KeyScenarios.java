package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.absent;
import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.otherBodyThan;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replay;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.Scenario.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is a key, and what happens without one. */
final class KeyScenarios {
    private static final RawRequest CHARGE = charge("/required/charges");

    private KeyScenarios() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>(sameAndOther());
        malformed()
                .forEach((what, key) -> all.add(scenario("a key is malformed: " + what)
                        .send(CHARGE.key(key), problem(400, "key-malformed"))
                        .reached(0)
                        .effects(0)));
        all.addAll(severalAndNone());
        all.addAll(otherSpellingsOfTheRoute());
        return all;
    }

    private static List<Scenario> sameAndOther() {
        return List.of(
                scenario("a bare key and a quoted key are the same key (D16)")
                        .send(CHARGE.key("{key}"), fresh(201))
                        .send(CHARGE.key("\"{key}\""), replay())
                        .effects(1),
                scenario("a quoted key and a bare key are the same key (D16)")
                        .send(CHARGE.key("\"{key}\""), fresh(201))
                        .send(CHARGE.key("{key}"), replay())
                        .effects(1),
                scenario("white space around a key is not part of it")
                        .send(CHARGE.key("{key}"), fresh(201))
                        .send(CHARGE.key("  \t{key} \t "), replay())
                        .effects(1),
                scenario("the name of the header may be written in any case")
                        .send(CHARGE, fresh(201))
                        .send(CHARGE.noKey().header("IDEMPOTENCY-key", "{key}"), replay())
                        .effects(1),
                scenario("another key is another operation")
                        .send(CHARGE, fresh(201))
                        .send(CHARGE.key("{key}-2"), fresh(201), otherBodyThan(1))
                        .effects(2),
                scenario("upper and lower case are different keys")
                        .send(CHARGE.key("{key}-a"), fresh(201))
                        .send(CHARGE.key("{key}-A"), fresh(201), otherBodyThan(1))
                        .effects(2),
                scenario("the same key under another method and route is another operation")
                        .send(CHARGE, fresh(201))
                        .send(charge("/optional/charges"), fresh(201), otherBodyThan(1))
                        .effects(2),
                scenario("every visible character may be in a key")
                        .send(CHARGE.key("{key}!#$%&'()*+,-./:;<=>?@[]^_`{|}~"), fresh(201))
                        .send(CHARGE.key("\"{key}!#$%&'()*+,-./:;<=>?@[]^_`{|}~\""), replay())
                        .effects(1),
                scenario("a key of 255 bytes is a key, quoted or not")
                        .send(CHARGE.key("{key}" + "k".repeat(217)), fresh(201))
                        .send(CHARGE.key("\"{key}" + "k".repeat(217) + "\""), replay())
                        .effects(1));
    }

    private static Map<String, String> malformed() {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("empty", "");
        keys.put("only white space", "  \t ");
        keys.put("an empty string", "\"\"");
        keys.put("256 bytes", "{key}" + "k".repeat(218));
        keys.put("256 bytes in quotes", "\"{key}" + "k".repeat(218) + "\"");
        keys.put("4000 bytes", "k".repeat(4000));
        keys.put("a space inside", "{key} b");
        keys.put("a space inside quotes", "\"{key} b\"");
        keys.put("a tab inside", "{key}\tb");
        keys.put("no closing quote", "\"{key}");
        keys.put("a quote only at the end", "{key}\"");
        keys.put("more after the closing quote", "\"{key}\"b");
        keys.put("two strings in one header", "\"{key}\", \"b\"");
        keys.put("UTF-8 outside ASCII", "{key}-cl\u00c3\u00a9");
        keys.put("Latin-1 outside ASCII", "{key}-cl\u00e9");
        return keys;
    }

    private static List<Scenario> severalAndNone() {
        return List.of(
                scenario("a control byte in a key is refused")
                        .send(CHARGE.key("{key}\u0001"), status(400))
                        .reached(0)
                        .effects(0),
                scenario("DEL in a key is refused")
                        .send(CHARGE.key("{key}\u007f"), status(400))
                        .reached(0)
                        .effects(0),
                scenario("two key headers are refused, even if they are equal")
                        .send(CHARGE.header("Idempotency-Key", "{key}"), problem(400, "key-malformed"))
                        .send(CHARGE.header("idempotency-key", "{key}-2"), problem(400, "key-malformed"))
                        .reached(0)
                        .effects(0),
                scenario("a required key that is missing is asked for")
                        .send(CHARGE.noKey(), problem(400, "key-missing"), absent("Idempotency-Expires"))
                        .reached(0)
                        .effects(0),
                scenario("a key among the trailers is no key")
                        .sendBytes(
                                Wire.lines(
                                        "POST /required/charges HTTP/1.1",
                                        "Host: {host}",
                                        "X-Scenario: {scenario}",
                                        "Transfer-Encoding: chunked",
                                        "Trailer: Idempotency-Key",
                                        "",
                                        "2",
                                        "{}",
                                        "0",
                                        "Idempotency-Key: {key}",
                                        "",
                                        ""),
                                problem(400, "key-missing"))
                        .reached(0)
                        .effects(0),
                scenario("an optional key may be missing: each request runs")
                        .send(charge("/optional/charges").noKey(), status(201), absent("Idempotency-Expires"))
                        .send(charge("/optional/charges").noKey(), status(201), absent("Idempotent-Replayed"))
                        .effects(2),
                scenario("an optional key that is there counts")
                        .send(charge("/optional/charges"), fresh(201))
                        .send(charge("/optional/charges"), replay())
                        .effects(1),
                scenario("an optional key that is malformed is refused")
                        .send(charge("/optional/charges").key("a b"), problem(400, "key-malformed"))
                        .effects(0),
                scenario("where keys are off, a key means nothing: each request runs")
                        .send(charge("/off/charges"), status(201), absent("Idempotency-Expires"))
                        .send(charge("/off/charges"), status(201), absent("Idempotent-Replayed"), otherBodyThan(1))
                        .send(charge("/off/charges").key("not even a key"), status(201))
                        .effects(3));
    }

    /** A required key is no protection if another spelling of the path gets around it. */
    private static List<Scenario> otherSpellingsOfTheRoute() {
        List<Scenario> all = new ArrayList<>();
        List<String> spellings = List.of(
                "/%72equired/charges",
                "/required/%63harges",
                "/off/../required/charges",
                "/./required/charges",
                "http://localhost/required/charges");
        for (String spelling : spellings)
            all.add(scenario("a required key cannot be got around by writing " + spelling)
                    .send(CHARGE.noKey().to(spelling), status(400))
                    .reached(0)
                    .effects(0));
        return all;
    }
}
