package dev.semel.admin;

import dev.semel.core.key.KeyId;

/** One change that someone made to a key. Holds no body, no secret and no client's key: the token tells which it was. */
public record AuditEntry(String by, String tenant, String operation, long token, String what, String reason) {

    static AuditEntry of(KeyId id, long token, String by, String what, String reason) {
        return new AuditEntry(by, id.tenant(), id.operation(), token, what, reason);
    }

    /** One line for a log, whatever was written into the reason. */
    @Override
    public String toString() {
        return "by=" + quoted(by) + " tenant=" + quoted(tenant) + " operation=" + quoted(operation) + " token=" + token
                + " what=" + quoted(what) + " reason=" + quoted(reason);
    }

    private static String quoted(String text) {
        return '"' + text.replace('"', '\'').replaceAll("[\\p{Cntrl}\\u2028\\u2029]", "?") + '"';
    }
}
