package dev.semel.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChargeRequestsTest {
    @Test
    void fresh_keys_never_come_twice() {
        List<String> keys = keys(ChargeRequests.freshKeys(), 1_000);
        keys.addAll(keys(ChargeRequests.freshKeys(), 1_000));
        assertEquals(2_000, new HashSet<>(keys).size());
    }

    @Test
    void replays_use_a_few_keys_in_turn() {
        List<String> keys = keys(ChargeRequests.replays(20), 60);
        assertEquals(20, new HashSet<>(keys).size());
        assertEquals(keys.subList(0, 20), keys.subList(20, 40));
    }

    @Test
    void pass_through_has_no_key() {
        assertNull(keys(ChargeRequests.passThrough(), 1).getFirst());
    }

    @Test
    void the_answer_of_the_upstream_has_the_size_it_is_known_for() {
        assertEquals(205, CannedResponse.BODY.length());
    }

    /** Reads the requests back as a server would; a wrong length would swallow or split the next one. */
    private static List<String> keys(ChargeRequests source, int count) {
        EmbeddedChannel server = new EmbeddedChannel(new HttpRequestDecoder(), new HttpObjectAggregator(10_000));
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            server.writeInbound(source.next(ByteBufAllocator.DEFAULT));
            FullHttpRequest request = server.readInbound();
            assertTrue(request.decoderResult().isSuccess(), request.toString());
            assertTrue(request.content().toString(US_ASCII).endsWith("}}"), request.toString());
            keys.add(request.headers().get("Idempotency-Key"));
            request.release();
        }
        server.finishAndReleaseAll();
        return keys;
    }
}
