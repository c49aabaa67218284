package dev.semel.json;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.semel.core.Codec;
import dev.semel.core.KeyReusedException;
import dev.semel.core.Operation;
import dev.semel.core.OutcomeNotKeptException;
import dev.semel.core.Semel;
import dev.semel.core.memory.InMemoryKeyStore;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    record Receipt(String id, BigDecimal amount, Instant at, Duration took, List<String> lines) {}

    private static final Receipt RECEIPT = new Receipt(
            "r-1",
            new BigDecimal("10.00"),
            Instant.parse("2026-01-01T00:00:00.123456789Z"),
            Duration.ofMillis(7),
            List.of("é", "鍵🔑"));

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void outcomes_come_back_as_they_were() {
        Codec<Receipt> codec = Json.codec(Receipt.class);
        assertEquals(RECEIPT, codec.decode(codec.encode(RECEIPT)));
        Codec<List<Receipt>> many = Json.codec(new TypeReference<List<Receipt>>() {});
        assertEquals(List.of(RECEIPT), many.decode(many.encode(List.of(RECEIPT))));
    }

    @Test
    void outcomes_of_an_earlier_version_stay_readable() {
        byte[] earlier = "{\"id\":\"r-1\",\"gone\":1}".getBytes(StandardCharsets.UTF_8);
        assertEquals("r-1", Json.codec(Receipt.class).decode(earlier).id());
    }

    @Test
    void requests_are_told_apart_by_what_they_say_and_not_by_its_order() {
        Codec<Receipt> codec = Json.codec(Receipt.class);
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("b", 1);
        one.put("a", Map.of("x", 1));
        Map<String, Object> other = new LinkedHashMap<>();
        other.put("a", Map.of("x", 1));
        other.put("b", 1);
        assertArrayEquals(codec.canonical(one), codec.canonical(other));
        assertEquals("{\"a\":{\"x\":1},\"b\":1}", utf8(codec.canonical(one)));
        assertEquals("null", utf8(codec.canonical(null)));
    }

    @Test
    void an_operation_replays_json() {
        try (Semel semel = Semel.on(new InMemoryKeyStore()).start()) {
            Operation<Receipt> charge = semel.operation("charge", Json.codec(Receipt.class));
            assertEquals(RECEIPT, charge.once("o", Map.of("amount", 10), attempt -> RECEIPT));
            assertEquals(RECEIPT, charge.once("o", Map.of("amount", 10), attempt -> {
                throw new AssertionError("it ran twice");
            }));
            assertThrows(KeyReusedException.class, () -> charge.once("o", Map.of("amount", 11), attempt -> RECEIPT));
            Operation<Integer> number = semel.operation("charge", Json.codec(Integer.class));
            assertThrows(OutcomeNotKeptException.class, () -> number.once("o", Map.of("amount", 10), attempt -> 1));
        }
    }
}
