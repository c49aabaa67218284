package dev.semel.torture.client;

import dev.semel.torture.history.Promise;
import dev.semel.torture.library.LibraryShop;
import java.nio.charset.StandardCharsets;

/** Something that is to happen once. */
public record Operation(String key, int payload, Door door, Promise promise) {

    /** Another request, which must never run under this key once the right one was heard. */
    int otherPayload() {
        return payload + 1;
    }

    byte[] request(int asked) {
        String body = "{\"payload\":" + asked + "}";
        return ("POST " + path() + " HTTP/1.1\r\nHost: semel\r\nIdempotency-Key: " + key
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    private String path() {
        return switch (promise) {
            case AT_MOST_ONCE -> Routes.ONCE;
            case AT_MOST_ONCE_PROBED -> Routes.PROBED;
            case AT_LEAST_ONCE -> Routes.REPEATABLE;
            case JOINED -> LibraryShop.JOINED;
        };
    }
}
