package dev.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;

/** Whether what a client is told about its key agrees with what the upstream did. */
final class Truth {
    private Truth() {}

    static void check(Scene scene, RawRequest request, String key) throws IOException {
        Received.Response answer = Scene.full(scene.exchange(request));
        scene.say(answer.status() + " " + key);
        int effects = scene.ledger().effectsOfKey(key);
        if (answer.status() == 201) {
            assertEquals(1, effects, "effects of what succeeded");
            Expect.replayed(Scene.full(scene.exchange(request)), answer);
        } else if (answer.text().contains("urn:semel:problem:upstream-unreachable")) {
            assertEquals(0, effects, "effects of what was not sent");
        } else {
            Expect.problem(502, "outcome-unknown").check(answer, scene);
            Expect.problem(409, "outcome-unknown").check(Scene.full(scene.exchange(request)), scene);
        }
        assertTrue(scene.ledger().effectsOfKey(key) <= 1, "one effect at most");
    }
}
