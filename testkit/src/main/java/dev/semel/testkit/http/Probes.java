package dev.semel.testkit.http;

import java.io.IOException;

/** What the upstream says when it is asked whether an operation has happened. */
final class Probes {
    private static final Fields JSON = Fields.of("Content-Type", "application/json");

    private Probes() {}

    /** {@code probe/KEY}. */
    static void one(UpstreamCall call) throws IOException {
        String key = call.segment(2);
        boolean happened = call.ledger().effectsOfKey(key) > 0;
        call.answer(happened ? 200 : 404, JSON, Bytes.utf8(happened ? found(key) : "{}"));
    }

    /** {@code probe-list?key=KEY}. */
    static void list(UpstreamCall call) throws IOException {
        String key = String.valueOf(call.parameter("key"));
        boolean happened = call.ledger().effectsOfKey(key) > 0;
        String charge = "{\"found\": \"" + key + "\", \"amount\": 12.50}";
        call.answer(200, JSON, Bytes.utf8("{\"object\":\"list\",\"data\":[ " + (happened ? charge : "") + " ]}"));
    }

    static void busy(UpstreamCall call) throws IOException {
        call.answer(503, JSON, Bytes.utf8("{}"));
    }

    private static String found(String key) {
        return "{\"found\":\"" + key + "\"}";
    }
}
