package dev.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

/** Many answers to one operation: one is fresh, and all others are replays of it. */
final class Alike {
    private Alike() {}

    /** One answer with this status is not like the others. */
    static void takeOut(List<Received> answers, int status) {
        for (Received answer : answers) {
            if (Scene.full(answer).status() == status) {
                answers.remove(answer);
                return;
            }
        }
        throw new AssertionError("None of " + answers.size() + " answers has status " + status);
    }

    /** One of these answers is as expected. */
    static void takeOutOne(List<Received.Response> answers, Expect expected, Scene scene) {
        AssertionError last = new AssertionError("There is no answer.");
        for (Received.Response answer : answers) {
            try {
                expected.check(answer, scene);
                answers.remove(answer);
                return;
            } catch (AssertionError e) {
                last = e;
            }
        }
        throw new AssertionError("No answer is as expected; of the last one: " + last.getMessage(), last);
    }

    static void check(Scene scene, List<Received> answers, int status) {
        List<Received.Response> fresh = answers.stream()
                .map(Scene::full)
                .filter(it -> !it.headers().has("Idempotent-Replayed"))
                .toList();
        assertEquals(1, fresh.size(), () -> "fresh answers, of " + answers.size() + ": " + fresh);
        Expect.fresh(status).check(fresh.getFirst(), scene);
        for (Received answer : answers)
            if (answer != fresh.getFirst()) Expect.replayed(Scene.full(answer), fresh.getFirst());
    }
}
