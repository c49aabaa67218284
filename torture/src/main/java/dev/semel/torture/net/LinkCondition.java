package dev.semel.torture.net;

/** What a link does to the bytes that it carries. */
public enum LinkCondition {
    HEALTHY("carries everything at once"),
    DELAY("is late with everything, each piece by up to half a second"),
    BLACK_HOLE("carries nothing; what was sent meanwhile arrives late, or never"),
    RESET("resets every connection, also new ones"),
    REFUSE("takes no connections, and resets those it has"),
    CUT_AFTER_REQUEST("carries requests, and resets the connection when the answer comes"),
    CUT_IN_RESPONSE("carries requests, and only the first half of an answer");

    private final String about;

    LinkCondition(String about) {
        this.about = about;
    }

    public String about() {
        return about;
    }
}
