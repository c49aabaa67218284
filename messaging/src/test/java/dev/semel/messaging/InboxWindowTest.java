package dev.semel.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class InboxWindowTest {
    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void a_window_that_is_too_short_is_refused() {
        InboxWindow.Latest latest =
                new InboxWindow.Latest(Duration.ofHours(75), Duration.ofDays(7), Duration.ofDays(14));
        assertEquals(
                Duration.ofHours(75 + 21 * 24), InboxWindow.covering(latest).keep());
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> new InboxWindow(DAY).requireCovers(latest));
        assertTrue(refused.getMessage().contains("It would take effect again."), refused.getMessage());
    }
}
