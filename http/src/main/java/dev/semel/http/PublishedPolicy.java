package dev.semel.http;

import java.util.List;

/**
 * What an API tells its clients about keys, at {@code /.well-known/idempotency}: JSON for programs, a page for people.
 * Written once; immutable, for use by any thread.
 */
public final class PublishedPolicy {
    /** Where clients look for it. */
    public static final String PATH = "/.well-known/idempotency";

    private final byte[] json;
    private final byte[] page;

    /** @param routes in the order in which they are tried */
    public PublishedPolicy(List<Route> routes) {
        this.json = PolicyJson.of(routes);
        this.page = PolicyPage.of(routes);
    }

    /** One route and how it treats keys. */
    public record Route(RoutePattern pattern, RoutePolicy policy) {}

    /** The page for whoever would rather have a page, JSON for everybody else. */
    public HttpResponse answer(Headers request) {
        boolean asPage = AcceptHeader.of(request).prefers("text/html", "application/json");
        Headers headers = Headers.NONE
                .with("Content-Type", asPage ? "text/html; charset=utf-8" : "application/json")
                .with("Cache-Control", "max-age=60")
                .with("Vary", "Accept")
                .with("X-Content-Type-Options", "nosniff");
        if (asPage) headers = headers.with("Content-Security-Policy", PolicyPage.CONTENT_SECURITY_POLICY);
        return new HttpResponse(200, headers, asPage ? page : json);
    }
}
