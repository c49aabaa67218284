package dev.semel.examples.payments;

import static java.nio.charset.StandardCharsets.UTF_8;

/** What the service sends back: always JSON. */
record Answer(int status, byte[] body) {
    /** In place of a status: the connection is closed without an answer. */
    static final int NONE = 0;

    Answer(int status, String json) {
        this(status, json.getBytes(UTF_8));
    }

    static Answer none() {
        return new Answer(NONE, new byte[0]);
    }

    static Answer error(int status, String code, String message) {
        return new Answer(status, ChargeJson.error(code, message));
    }
}
