package dev.semel.examples.payments;

import static java.nio.charset.StandardCharsets.UTF_8;

/** What the service sends back: always JSON. */
record Answer(int status, byte[] body) {
    Answer(int status, String json) {
        this(status, json.getBytes(UTF_8));
    }

    static Answer error(int status, String code, String message) {
        return new Answer(status, ChargeJson.error(code, message));
    }
}
