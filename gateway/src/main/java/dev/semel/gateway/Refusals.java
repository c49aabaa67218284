package dev.semel.gateway;

import dev.semel.gateway.metrics.OutcomeLabel;
import dev.semel.gateway.metrics.RouteMeters;
import dev.semel.gateway.wire.ClosingConnections;
import dev.semel.gateway.wire.ConnectionClose;
import dev.semel.gateway.wire.HeadTimeout;
import dev.semel.http.Ending;
import dev.semel.http.HttpResponse;
import dev.semel.http.Problem;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/** Answers what the parser refused. Nothing can follow on such a connection. */
final class Refusals {
    private Refusals() {}

    static void answer(HttpServerRequest refused, RouteMeters noRoute) {
        if (ClosingConnections.contains(refused.connection())) return;
        ClosingConnections.add(refused.connection());
        HttpResponse problem = problem(refused);
        noRoute.ended(OutcomeLabel.of(Ending.PROBLEM, problem.status()), problem.status(), problem.problem(), 0);
        HttpServerResponse response = refused.response().setStatusCode(problem.status());
        VertxHeaders.write(problem.headers(), response.headers());
        response.putHeader("Connection", "close");
        response.putHeader("Content-Length", Integer.toString(problem.body().length));
        // Not ended, for the framework would then close the connection under a client that still sends.
        response.write(Buffer.buffer(problem.body()))
                .onComplete(written -> ConnectionClose.lingering(refused.connection()));
    }

    private static HttpResponse problem(HttpServerRequest refused) {
        if (HeadTimeout.isMarked(refused.connection())) return Problem.tooSlow("head");
        return switch (refused.decoderResult().cause()) {
            case TooLongHttpLineException e -> Problem.targetTooLong();
            case TooLongHttpHeaderException e -> Problem.headTooLarge();
            default -> Problem.badRequest("it is not HTTP as RFC 9112 has it");
        };
    }
}
