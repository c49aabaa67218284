package dev.semel.http;

/** What a request says about its idempotency key. */
public sealed interface KeyReading {

    /** One well-formed key, without the quotes and escapes it may have been sent in. */
    record Present(String key) implements KeyReading {}

    record Absent() implements KeyReading {}

    /**
     * There is something, and it is no key.
     *
     * @param why whole sentences for the client: what is wrong and what to send. They never repeat what was sent.
     */
    record Malformed(String why) implements KeyReading {}
}
