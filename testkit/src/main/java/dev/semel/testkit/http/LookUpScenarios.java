package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.bodyContains;
import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.headerContains;
import static dev.semel.testkit.http.Expect.member;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.RawRequest.get;
import static dev.semel.testkit.http.Scenario.scenario;

import java.time.Duration;
import java.util.List;

/** What a client that lost its answer is told about its key, without running anything. */
final class LookUpScenarios {
    private static final RawRequest CHARGE = charge("/exact/charges");
    private static final RawRequest GATE = charge("/exact/gate");

    private LookUpScenarios() {}

    static List<Scenario> all() {
        return List.of(
                scenario("a key that nobody used is not there")
                        .send(lookUp("charges"), status(404))
                        .effects(0),
                scenario("a key is looked up under its own operation only")
                        .send(CHARGE, fresh(201))
                        .send(lookUp("gate"), status(404))
                        .send(get("/.semel/v1/keys/{key}-2?operation=POST%20/exact/charges"), status(404))
                        .effects(1),
                scenario("a key is looked up quoted or bare")
                        .send(CHARGE.key("\"{key}\""), fresh(201))
                        .send(lookUp("charges"), status(200), state("done"))
                        .send(
                                get("/.semel/v1/keys/%22{key}%22?operation=POST%20/exact/charges"),
                                status(200),
                                state("done"))
                        .effects(1),
                scenario("a key that is done is shown with its response")
                        .send(CHARGE, fresh(201))
                        .send(
                                lookUp("charges"),
                                status(200),
                                headerContains("Content-Type", "application/json"),
                                state("done"),
                                member("attempt", "1"),
                                member("since", "\"[^\"]+Z\""),
                                member("expires", "\"[^\"]+\""),
                                member("response", ""),
                                bodyContains("ch_"))
                        .send(CHARGE, replayOf(1))
                        .effects(1),
                scenario("a key in use is in progress; looking does not disturb")
                        .start(GATE)
                        .arrived(1)
                        .send(lookUp("gate"), status(200), state("in-progress"))
                        .openGate()
                        .answered(1, fresh(201))
                        .send(lookUp("gate"), status(200), state("done"))
                        .effects(1),
                scenario("who looks up may wait for the end")
                        .start(GATE)
                        .arrived(1)
                        .start(lookUp("gate").to("/.semel/v1/keys/{key}?operation=POST%20/exact/gate&wait=10s"))
                        .openGate()
                        .answeredInAnyOrder(fresh(201), state("done"))
                        .effects(1),
                scenario("who looks up and waits is told when the wait ends")
                        .start(GATE)
                        .arrived(1)
                        .sendAndWait(
                                Duration.ofMillis(200),
                                get("/.semel/v1/keys/{key}?operation=POST%20/exact/gate&wait=200ms"),
                                status(200),
                                state("in-progress"))
                        .openGate()
                        .answered(1, fresh(201))
                        .effects(1),
                scenario("a key that was freed is free")
                        .send(charge("/exact/refuse-once"), status(503))
                        .send(lookUp("refuse-once"), status(200), state("free"))
                        .effects(0),
                scenario("a key that is spent is spent")
                        .send(CHARGE, fresh(201))
                        .later(Duration.ofHours(25))
                        .send(lookUp("charges"), status(200), state("spent"))
                        .effects(1),
                scenario("a key with every visible character can be looked up")
                        .send(CHARGE.key("{key}!#$&'()*+,-./:;<=>?@[]^_`|~%41"), fresh(201))
                        .send(
                                get(
                                        "/.semel/v1/keys/{key}%21%23%24%26%27%28%29%2A%2B%2C-.%2F%3A%3B%3C%3D%3E%3F%40%5B%5D%5E_%60%7C~%2541"
                                            + "?operation=POST%20%2Fexact%2Fcharges"),
                                status(200),
                                state("done"))
                        .effects(1));
    }

    private static RawRequest lookUp(String behaviour) {
        return get("/.semel/v1/keys/{key}?operation=POST%20/exact/" + behaviour);
    }

    private static Expect state(String state) {
        return member("state", "\"" + state + "\"");
    }
}
