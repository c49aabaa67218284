package dev.semel.torture.client;

import java.nio.charset.StandardCharsets;

/** A whole answer, as it came over the wire. */
record Answer(int status, boolean replayed, boolean closes, byte[] body) {
    private static final String PROBLEM = "urn:semel:problem:";

    /** The name of the problem that it is; empty when it is none. */
    String problem() {
        if (status < 400) return "";
        String text = new String(body, StandardCharsets.UTF_8);
        int from = text.indexOf(PROBLEM);
        if (from < 0) return "";
        int to = text.indexOf('"', from);
        return to < 0 ? "" : text.substring(from + PROBLEM.length(), to);
    }
}
