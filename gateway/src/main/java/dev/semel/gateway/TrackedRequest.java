package dev.semel.gateway;

import dev.semel.gateway.metrics.OutcomeLabel;
import dev.semel.gateway.metrics.RouteMeters;
import dev.semel.http.Ending;
import dev.semel.http.HttpResponse;
import dev.semel.http.Reply;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request of a client, from its head to its answer: counted once, by how it ended, and told to the access log if that
 * is on. A client that hangs up before its request is whole is not counted; later, what becomes of its request is.
 */
final class TrackedRequest {
    /** Off unless the level of this logger is raised to INFO. */
    private static final Logger ACCESS = LoggerFactory.getLogger("semel.access");

    private final HttpServerRequest request;
    private final long began = System.nanoTime();
    private RouteMeters route;

    TrackedRequest(HttpServerRequest request, RouteMeters noRoute) {
        this.request = request;
        this.route = noRoute;
    }

    HttpServerRequest request() {
        return request;
    }

    RouteMeters route() {
        return route;
    }

    long nanos() {
        return System.nanoTime() - began;
    }

    void setRoute(RouteMeters route) {
        this.route = route;
    }

    /** For what is answered elsewhere: counted when the answer has left, by its status alone. */
    void setOwnResources(RouteMeters own) {
        this.route = own;
        request.response().endHandler(left -> {
            int status = request.response().getStatusCode();
            ended(
                    status < 400 ? OutcomeLabel.OWN : status < 500 ? OutcomeLabel.REFUSED : OutcomeLabel.FAILED,
                    status,
                    null);
        });
    }

    void end(HttpResponse problem) {
        ended(Ending.PROBLEM, problem.status(), problem.problem());
        Responses.end(request, problem);
    }

    /** As {@link Responses#endAndClose}. */
    void endAndClose(HttpResponse problem) {
        ended(Ending.PROBLEM, problem.status(), problem.problem());
        Responses.endAndClose(request, problem);
    }

    void passed(int status) {
        ended(Ending.PASSED, status, null);
    }

    void ended(Reply<?> reply) {
        switch (reply) {
            case Reply.Whole<?> it ->
                ended(it.ending(), it.response().status(), it.response().problem());
            case Reply.Streaming<?> it -> ended(it.ending(), it.status(), null);
        }
    }

    private void ended(Ending ending, int status, @Nullable String problem) {
        ended(OutcomeLabel.of(ending, status), status, problem);
    }

    private void ended(OutcomeLabel outcome, int status, @Nullable String problem) {
        long nanos = nanos();
        route.ended(outcome, status, problem, nanos);
        if (ACCESS.isInfoEnabled()) log(outcome, status, problem, nanos);
    }

    /** Neither path nor query, key nor tenant: the route says what was asked for. */
    private void log(OutcomeLabel outcome, int status, @Nullable String problem, long nanos) {
        var line = ACCESS.atInfo()
                .addKeyValue("method", LogText.safe(request.method().name()))
                .addKeyValue("route", route.route())
                .addKeyValue("status", status)
                .addKeyValue("outcome", outcome.label());
        if (problem != null) line = line.addKeyValue("problem", problem);
        line.addKeyValue("ms", TimeUnit.NANOSECONDS.toMicros(nanos) / 1000.0).log("request");
    }
}
