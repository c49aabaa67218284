package dev.semel.messaging.broker;

/** What became of a message that was handed to a broker. */
public sealed interface Delivery {

    /** The broker has it, and will keep it as long as it is set up to. */
    record Sent() implements Delivery {}

    /**
     * It may be there or not; it has to be sent again, with the same id.
     *
     * @param reason for logs and operators
     * @param cause who is to blame: how often a message is tried depends on it
     */
    record Retry(String reason, Cause cause) implements Delivery {
        /** Behind another message of its key that was not taken: it was not sent at all. */
        public static Retry behind(Object id) {
            return new Retry("it waits behind message " + id + " of the same key", Cause.ORDER);
        }
    }

    /**
     * The broker does not take it, and will not at any other time: it is parked, together with what follows it.
     *
     * @param kind one word for filters, such as {@code too-large}
     * @param reason for operators
     */
    record Dead(String kind, String reason) implements Delivery {}

    /** Why a message has to be sent again. */
    enum Cause {
        /** The broker cannot be reached, or is overloaded: every message fails. Tried for ever. */
        BROKER,
        /** This message was refused, perhaps not for ever. Tried a number of times. */
        MESSAGE,
        /** Another message ahead of it. */
        ORDER
    }
}
