package dev.semel.http.tenant;

import dev.semel.http.Headers;
import dev.semel.http.tenant.TenantReading.Known;

/** How requests show whose they are. Safe for use by any thread; reading may block. */
public interface TenantRule {

    /** Answers for whatever bytes a stranger may send, and never throws because of them. */
    TenantReading read(Headers headers);

    /** What a request has to bring, as a challenge for {@code WWW-Authenticate}. */
    default String challenge() {
        return "Bearer";
    }

    /** Everybody is the same tenant, the one without a name. */
    static TenantRule single() {
        Known everybody = new Known("");
        return headers -> everybody;
    }
}
