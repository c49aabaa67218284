package dev.semel.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.semel.core.key.KeyId;
import org.junit.jupiter.api.Test;

class AuditEntryTest {
    private static final KeyId ID = KeyId.of("acme", "POST /v1/charges", "the-clients-key");

    @Test
    void it_is_one_line_with_everything_but_the_key() {
        String line = AuditEntry.of(ID, 7, "alice", "released", "it hangs").toString();
        assertEquals(
                "by=\"alice\" tenant=\"acme\" operation=\"POST /v1/charges\" token=7 what=\"released\""
                        + " reason=\"it hangs\"",
                line);
        assertFalse(line.contains(ID.key()));
    }

    @Test
    void nobody_can_write_a_second_line_or_another_field_into_it() {
        String line = AuditEntry.of(ID, 7, "a\nb", "released", "x\" by=\"root\r\u2028")
                .toString();
        assertEquals(
                "by=\"a?b\" tenant=\"acme\" operation=\"POST /v1/charges\" token=7 what=\"released\""
                        + " reason=\"x' by='root??\"",
                line);
    }
}
