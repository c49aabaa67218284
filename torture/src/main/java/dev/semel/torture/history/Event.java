package dev.semel.torture.history;

/**
 * One thing that was seen. Times are nanoseconds since the start of the run, all read from one clock: that of the machine, which no
 * fault moves.
 */
public sealed interface Event {
    long at();

    /** A client sends a request: one call, one attempt at a key. Calls are numbered through the whole run. */
    record Sent(long at, int call, int client, String key, int payload, Promise promise, String gateway)
            implements Event {}

    /**
     * A whole answer came back.
     *
     * @param problem the name of the problem, without its prefix; empty when the answer is none
     * @param body what identifies the body: equal bodies have equal digests
     */
    record Answered(long at, int call, int status, String problem, boolean replayed, String body) implements Event {
        public boolean isSuccess() {
            return status >= 200 && status < 300;
        }
    }

    /** The call ended without a whole answer. */
    record Unanswered(long at, int call, String how) implements Event {}

    /**
     * The service behind Semel was asked to act, and did, or refused to because of the fencing token.
     *
     * @param body the digest of the answer that it made, whether or not anybody got it
     */
    record Effect(long at, String key, int payload, long token, int attempt, boolean accepted, String body)
            implements Event {}

    /** Something was broken from {@link #at} until it was mended, or until the end. */
    record Fault(long at, long until, String kind, String target) implements Event {
        /** The kind of one that nobody injected: a replica has taken over, some time between the two. */
        public static final String FAIL_OVER = "fail-over";
    }

    /** The last word on a key, asked for when every fault was mended: see {@link Answered}. */
    record Settled(long at, String key, int status, String problem, String body) implements Event {}
}
