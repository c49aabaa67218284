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
