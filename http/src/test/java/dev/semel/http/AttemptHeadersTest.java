package dev.semel.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.junit.jupiter.api.Test;

class AttemptHeadersTest {
    private static final Attempt SECOND = new Attempt(7, 2, "k-1", () -> true);
    private static final KeySource BODY = KeySource.parse("{body:/id}");

    @Test
    void a_key_from_its_header_goes_on_as_the_client_sent_it() {
        Headers sent = Headers.NONE.with("Accept", "*/*").with("idempotency-key", "\"k-1\"");
        Headers onward = AttemptHeaders.add(sent, KeySource.DEFAULT, SECOND);
        assertEquals(sent.with("Semel-Fencing-Token", "7").with("Semel-Attempt", "2"), onward);
    }

    @Test
    void a_key_from_elsewhere_replaces_every_key_header_that_the_client_sent() {
        Headers sent = Headers.NONE
                .with("Idempotency-Key", "mine")
                .with("Accept", "*/*")
                .with("IDEMPOTENCY-KEY", "mine too");
        Headers onward = AttemptHeaders.add(sent, BODY, SECOND);
        assertEquals(List.of("k-1"), onward.all("Idempotency-Key"));
        assertEquals(List.of("7"), onward.all("Semel-Fencing-Token"));
        assertEquals(List.of("2"), onward.all("Semel-Attempt"));
        assertEquals(4, onward.size(), "Accept is still there, and nothing else is");
    }

    @Test
    void a_request_without_a_key_stays_as_it_is() {
        Headers sent = Headers.NONE.with("Idempotency-Key", "not a key on this route");
        assertSame(sent, AttemptHeaders.add(sent, KeySource.DEFAULT, Attempt.WITHOUT_KEY));
    }
}
