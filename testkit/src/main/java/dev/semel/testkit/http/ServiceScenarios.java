package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.body;
import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.headerContains;
import static dev.semel.testkit.http.Expect.member;
import static dev.semel.testkit.http.Expect.present;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.retryAfter;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.Expect.statusIn;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.RawRequest.get;
import static dev.semel.testkit.http.Scenario.scenario;
import static dev.semel.testkit.http.ServiceCalls.claim;
import static dev.semel.testkit.http.ServiceCalls.complete;
import static dev.semel.testkit.http.ServiceCalls.doubt;
import static dev.semel.testkit.http.ServiceCalls.release;
import static dev.semel.testkit.http.ServiceCalls.renew;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Operations that run elsewhere, in any language: claimed, run and completed over the service API. */
final class ServiceScenarios {
    private static final Call CLAIM = claim(1999);
    private static final Call AGAIN = claim(1999, ",\"guarantee\":\"at-least-once\"");
    private static final Call WAITING = claim(1999, ",\"wait\":\"20s\"");
    private static final RawRequest LOOK_UP = get("/.semel/v1/keys/{key}?operation=charge");
    private static final Call ROUTE_LIKE = claim(named("POST /exact/charges"));
    private static final Expect GRANTED = status(201);
    private static final Expect SUPERSEDED = problem(412, "superseded");
    private static final Expect UNKNOWN = problem(409, "outcome-unknown");

    private ServiceScenarios() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>(claiming());
        all.addAll(holding());
        all.addAll(mistakes());
        return all;
    }

    private static List<Scenario> claiming() {
        return List.of(
                service("the first claim runs, and all others get its outcome byte for byte")
                        .send(CLAIM, GRANTED, present("Location"), member("attempt", "1"))
                        .send(CLAIM, problem(409, "in-progress"), retryAfter())
                        .send(LOOK_UP, status(200), member("state", "\"in-progress\""))
                        .send(
                                complete(1, "{ \"charge\" : \"ch_1\", \"fee\":1.50 }"),
                                status(200),
                                member("state", "\"done\""))
                        .send(CLAIM, status(200), body("{\"outcome\":{ \"charge\" : \"ch_1\", \"fee\":1.50 }}"))
                        .send(LOOK_UP, status(200), member("state", "\"done\""))
                        .effects(0),
                service("another payload under the same key is refused, before and after the end")
                        .send(CLAIM, GRANTED)
                        .send(claim(1), problem(422, "key-reused"))
                        .send(complete(1, "1"), status(200))
                        .send(claim(1), problem(422, "key-reused"))
                        .effects(0),
                service("who waits is told the outcome when it is there")
                        .send(CLAIM, GRANTED)
                        .start(WAITING)
                        .send(complete(1, "7"), status(200))
                        .answered(1, status(200), body("{\"outcome\":7}"))
                        .effects(0),
                service("who waits is granted what was released")
                        .send(CLAIM, GRANTED)
                        .start(WAITING)
                        .send(release(1), status(200), member("state", "\"free\""))
                        .answered(1, GRANTED, member("attempt", "2"))
                        .send(complete(3, "8"), status(200))
                        .send(complete(1, "9"), SUPERSEDED)
                        .send(CLAIM, status(200), body("{\"outcome\":8}"))
                        .effects(0),
                service("past its retention a key is spent, and in the end forgotten")
                        .send(CLAIM, GRANTED)
                        .send(complete(1, "1"), status(200))
                        .later(Duration.ofHours(25))
                        .send(CLAIM, problem(410, "key-spent"))
                        .later(Duration.ofDays(31))
                        .send(CLAIM, GRANTED)
                        .effects(0),
                service("a claim that is named like a route neither blocks nor answers a request of that route")
                        .send(ROUTE_LIKE, GRANTED)
                        .send(charge("/exact/charges"), fresh(201))
                        .send(complete(1, "\"a claim's\""), status(200))
                        .send(charge("/exact/charges"), replayOf(2))
                        .send(ROUTE_LIKE, status(200), body("{\"outcome\":\"a claim's\"}"))
                        .effects(1),
                service("a request neither blocks nor answers a claim that is named like its route")
                        .start(charge("/exact/gate"))
                        .arrived(1)
                        .send(claim(named("POST /exact/gate")), GRANTED)
                        .openGate()
                        .answered(1, fresh(201))
                        .send(claim(named("POST /exact/gate")), problem(409, "in-progress"))
                        .effects(1),
                service("a key is looked up where it lives, and a claim named like a route under the name that"
                                + " it is told")
                        .send(charge("/exact/charges"), fresh(201))
                        .send(ROUTE_LIKE, GRANTED)
                        .send(
                                get("/.semel/v1/keys/{key}?operation=POST%20/exact/charges"),
                                member("state", "\"done\""),
                                member("response", ""))
                        .send(
                                get("/.semel/v1/keys/{key}?operation=service:POST%20/exact/charges"),
                                member("state", "\"in-progress\""))
                        .send(doubt(2, "no answer"), status(200))
                        .send(ROUTE_LIKE, UNKNOWN, headerContains("Location", "=service%3APOST%20%2Fexact%2Fcharges"))
                        .send(
                                get("/.semel/v1/keys/{key}?operation=service:POST%20/exact/charges"),
                                member("state", "\"in-doubt\""))
                        .effects(1),
                service("a plain name is looked up with and without the mark of the service API")
                        .send(CLAIM, GRANTED)
                        .send(LOOK_UP, status(200))
                        .send(get("/.semel/v1/keys/{key}?operation=service:charge"), status(200))
                        .send(get("/.semel/v1/keys/{key}?operation=service:semel:order"), status(404))
                        .effects(0),
                service("no method of a request is the mark of the service API")
                        .send(claim(named("POST /exact/charges")), GRANTED)
                        .send(charge("/exact/charges").withMethod("service:POST"), statusIn(400, 501))
                        .reached(0)
                        .effects(0));
    }

    private static List<Scenario> holding() {
        Duration pastLease = Duration.ofSeconds(31);
        return List.of(
                service("a holder that fell silent leaves a doubt, which its late word ends")
                        .send(CLAIM, GRANTED)
                        .later(pastLease)
                        .send(CLAIM, UNKNOWN, present("Location"))
                        .send(complete(1, "\"late\""), status(200))
                        .send(CLAIM, status(200), body("{\"outcome\":\"late\"}"))
                        .effects(0),
                service("a renewed lease lasts longer")
                        .send(CLAIM, GRANTED)
                        .later(Duration.ofSeconds(20))
                        .send(renew(1), status(200), member("leaseUntil", "\"[^\"]+Z\""))
                        .later(Duration.ofSeconds(20))
                        .send(CLAIM, problem(409, "in-progress"))
                        .effects(0),
                service("where it may run again it is taken over, and the old holder changes nothing")
                        .send(AGAIN, GRANTED)
                        .later(pastLease)
                        .send(AGAIN, GRANTED, member("attempt", "2"))
                        .send(complete(1, "\"old\""), SUPERSEDED)
                        .send(renew(1), SUPERSEDED)
                        .send(release(1), SUPERSEDED)
                        .send(complete(2, "\"new\""), status(200))
                        .send(AGAIN, status(200), body("{\"outcome\":\"new\"}"))
                        .effects(0),
                service("what was promised to run once is not run again for one who would not mind")
                        .send(CLAIM, GRANTED)
                        .later(pastLease)
                        .send(LOOK_UP, member("state", "\"in-doubt\""))
                        .send(AGAIN, UNKNOWN)
                        .send(complete(1, "\"late\""), status(200))
                        .send(AGAIN, status(200), body("{\"outcome\":\"late\"}"))
                        .effects(0),
                service("what may have run already is not run for one who was promised that it runs once")
                        .send(AGAIN, GRANTED)
                        .later(pastLease)
                        .send(LOOK_UP, member("state", "\"free\""))
                        .send(CLAIM, UNKNOWN)
                        .send(AGAIN, UNKNOWN)
                        .effects(0),
                service("to say the same twice is fine, to say something else is not")
                        .send(CLAIM, GRANTED)
                        .send(complete(1, "{\"a\":1}"), status(200))
                        .send(complete(1, "{\"a\":1}"), status(200))
                        .send(complete(1, "{\"a\":2}"), SUPERSEDED)
                        .send(release(1), SUPERSEDED)
                        .send(CLAIM, status(200), body("{\"outcome\":{\"a\":1}}"))
                        .effects(0),
                service("a doubt is told, and ended by its holder")
                        .send(CLAIM, GRANTED)
                        .send(doubt(1, "the bank did not answer"), status(200), member("state", "\"in-doubt\""))
                        .send(CLAIM, UNKNOWN)
                        .send(LOOK_UP, status(200), member("reason", "\"the bank did not answer\""))
                        .send(complete(1, "2"), status(200))
                        .send(CLAIM, status(200), body("{\"outcome\":2}"))
                        .effects(0),
                service("without the store nothing is granted, and what was said has to be said again")
                        .storeGoesDown()
                        .send(CLAIM, problem(503, "store-unavailable"), retryAfter())
                        .storeComesBack()
                        .send(CLAIM, GRANTED)
                        .storeGoesDown()
                        .send(complete(2, "1"), status(503))
                        .storeComesBack()
                        .send(complete(2, "1"), status(200))
                        .send(CLAIM, status(200), body("{\"outcome\":1}"))
                        .effects(0));
    }

    private static List<Scenario> mistakes() {
        RawRequest claims = RawRequest.post("/.semel/v1/claims");
        return List.of(
                service("what cannot be a claim is told why, and claims nothing")
                        .send(claims.json("[]"), problem(400, "bad-request"))
                        .send(claims.json("{\"operation\":"), problem(400, "bad-request"))
                        .send(claim("{\"operation\":\"charge\",\"payload\":1}"), problem(400, "key-missing"))
                        .send(
                                claim("{\"operation\":\"charge\",\"key\":\"\",\"payload\":1}"),
                                problem(400, "key-malformed"))
                        .send(claim("{\"operation\":\"charge\",\"key\":\"{key}\"}"), status(400))
                        .send(
                                claim(1, ",\"lease\":\"soon\""),
                                problem(400, "bad-request"),
                                member("pointer", "\"/lease\""))
                        .send(claims.body("text/plain", new byte[] {'{', '}'}), status(415))
                        .send(LOOK_UP, status(404))
                        .effects(0),
                service("a claim need not say that it is JSON, but must not say that it is something else")
                        .send(scene -> claim(1).in(scene).without("Content-Type"), GRANTED)
                        .send(
                                scene -> claim(1).in(scene)
                                        .without("Content-Type")
                                        .header("Content-Type", "text/xml"),
                                status(415))
                        .effects(0),
                service("words about no claim change nothing")
                        .send(CLAIM, GRANTED)
                        .send(
                                RawRequest.post("/.semel/v1/claims/nothing/outcome")
                                        .withMethod("PUT")
                                        .json("{\"token\":1,\"outcome\":1}"),
                                problem(404, "claim-unknown"))
                        .send(get("/.semel/v1/claims"), status(405), present("Allow"))
                        .send(get("/.semel/v1/nothing"), status(404))
                        .send(complete(1, "1"), status(200))
                        .effects(0));
    }

    private static String named(String operation) {
        return "{\"operation\":\"" + operation + "\",\"key\":\"{key}\",\"payload\":1}";
    }

    private static Draft service(String name) {
        return scenario("service: " + name);
    }
}
