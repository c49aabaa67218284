package dev.semel.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RouteOperationTest {
    private static final RoutePattern OPEN = RoutePattern.parse("* /**");

    @ParameterizedTest
    @ValueSource(ints = {1, 990, 995, 996, 1_000, 1_024, 4_096, 100_000})
    void every_path_makes_an_operation_that_a_key_can_have(int length) {
        String operation = OPEN.operation("POST", "/" + "a".repeat(length - 1));
        assertEquals(operation, KeyId.of("", operation, "k").operation());
        assertTrue(operation.startsWith("POST /"));
    }

    @Test
    void long_paths_that_differ_only_at_the_end_are_different_operations() {
        String path = "/" + "a".repeat(3_000);
        assertNotEquals(OPEN.operation("POST", path + "1"), OPEN.operation("POST", path + "2"));
        assertNotEquals(OPEN.operation("POST", path), OPEN.operation("PUT", path));
        assertEquals(OPEN.operation("POST", path + "b"), OPEN.operation("POST", path + "%62"));
    }

    @Test
    void a_path_that_fits_stands_as_it_is() {
        String path = "/" + "a".repeat(994);
        assertEquals("POST " + path, OPEN.operation("POST", path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST //a", "POST /a//b", "POST /a//**"})
    void a_pattern_that_no_upstream_would_know_is_refused(String text) {
        assertThrows(IllegalArgumentException.class, () -> RoutePattern.parse(text));
    }

    @Test
    void a_pattern_that_is_too_long_for_a_key_is_refused() {
        assertThrows(IllegalArgumentException.class, () -> RoutePattern.parse("POST /" + "a".repeat(1_000)));
    }
}
