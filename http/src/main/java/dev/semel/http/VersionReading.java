package dev.semel.http;

/** What a request says about the version that it writes or writes over. */
public sealed interface VersionReading {

    /** @param version 0 or greater */
    record At(long version) implements VersionReading {}

    record Absent() implements VersionReading {}

    /**
     * There is something, and it is no version.
     *
     * @param why whole sentences for the client: what is wrong and what to send. They never repeat what was sent.
     */
    record Malformed(String why) implements VersionReading {}
}
