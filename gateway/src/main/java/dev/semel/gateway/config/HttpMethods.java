package dev.semel.gateway.config;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The methods of HTTP and its registered extensions that a request for a resource can have. */
final class HttpMethods {
    private static final Set<String> KNOWN = Set.of(
            "GET",
            "HEAD",
            "POST",
            "PUT",
            "PATCH",
            "DELETE",
            "OPTIONS",
            "TRACE",
            "QUERY",
            "ACL",
            "BIND",
            "CHECKIN",
            "CHECKOUT",
            "COPY",
            "LABEL",
            "LINK",
            "LOCK",
            "MERGE",
            "MKACTIVITY",
            "MKCALENDAR",
            "MKCOL",
            "MKREDIRECTREF",
            "MKWORKSPACE",
            "MOVE",
            "ORDERPATCH",
            "PROPFIND",
            "PROPPATCH",
            "PURGE",
            "REBIND",
            "REPORT",
            "SEARCH",
            "UNBIND",
            "UNCHECKOUT",
            "UNLINK",
            "UNLOCK",
            "UPDATE",
            "UPDATEREDIRECTREF");

    private HttpMethods() {}

    /** What is wrong with the method of a route; null when nothing is. */
    static @Nullable String flaw(String method) {
        if (method.equals("*") || KNOWN.contains(method)) return null;
        String meant = Spelling.nearest(method, KNOWN);
        return "'" + method + "' is not a method of HTTP. "
                + (meant == null ? "Write one such as POST, or * for every method." : "Did you mean " + meant + "?");
    }
}
