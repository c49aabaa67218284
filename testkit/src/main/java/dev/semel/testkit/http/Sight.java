package dev.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

/** What a request must be like when it reaches the upstream. */
public interface Sight {

    void check(SeenRequest request, Scene scene);

    static Sight attempt(int number) {
        return carried("Semel-Attempt", String.valueOf(number));
    }

    static Sight target(String target) {
        return (request, scene) -> assertEquals(scene.fill(target), request.target());
    }

    /** Exactly these values under this name. */
    static Sight carried(String name, String... values) {
        return (request, scene) -> assertEquals(
                List.of(values).stream().map(scene::fill).toList(),
                request.headers().all(name),
                name);
    }

    static Sight carriedPart(String name, String part) {
        return (request, scene) -> {
            String value = String.join(", ", request.headers().all(name));
            assertTrue(value.contains(scene.fill(part)), name + " has " + scene.fill(part) + ": " + value);
        };
    }

    /** The whole value is like this. */
    static Sight carriedLike(String name, String pattern) {
        return (request, scene) -> {
            String value = String.join(", ", request.headers().all(name));
            assertTrue(value.matches(pattern), name + " is like " + pattern + ": " + value);
        };
    }

    static Sight notCarried(String... names) {
        return (request, scene) -> {
            for (String name : names) assertEquals(List.of(), request.headers().all(name), name);
        };
    }

    static Sight bodyIs(byte[] bytes) {
        return (request, scene) -> assertArrayEquals(bytes, request.body(), "body");
    }
}
