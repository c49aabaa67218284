package dev.semel.http.tenant;

/** Whose request it is, as far as can be told. A reason never repeats what was sent and may be shown to the client. */
public sealed interface TenantReading {

    /**
     * The tenant is known. What a header or a claim gives begins with a letter for its kind and a colon, so that no two
     * ways of telling tenants can meet in one name.
     *
     * @param tenant at most 1,024 bytes of well-formed Unicode without control characters; holds no secret
     */
    record Known(String tenant) implements TenantReading {}

    /**
     * The request does not show, or does not prove, whose it is. Sending it again as it is will not help.
     *
     * @param why whole sentences for the client
     */
    record Unknown(String why) implements TenantReading {}

    /**
     * Nobody can tell right now: the keys to verify with are out of reach. The request may be all right.
     *
     * @param why whole sentences for the client
     */
    record Unavailable(String why) implements TenantReading {}
}
