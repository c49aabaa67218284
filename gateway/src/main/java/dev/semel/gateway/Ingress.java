package dev.semel.gateway;

import dev.semel.core.key.KeyId;
import dev.semel.gateway.wire.Condemned;
import dev.semel.http.Admission;
import dev.semel.http.Guard;
import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.http.HttpResponse;
import dev.semel.http.Problem;
import dev.semel.http.Reply;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way in, one per event loop. Reads top to bottom: refuse what is no proper request, find its route, then either
 * pass it through, or take it in whole and answer it on a virtual thread of its own.
 */
final class Ingress {
    private static final Logger LOG = LoggerFactory.getLogger(Ingress.class);
    private static final int MOST_HEADERS = 256;
    private static final int FITS_IN_A_SOCKET = 64 * 1024;

    private final Vertx vertx;
    private final Guard guard;
    private final RouteMap routes;
    private final OwnResources own;
    private final InFlight inFlight;
    private final Duration bodyTime;

    Ingress(Vertx vertx, Guard guard, RouteMap routes, OwnResources own, InFlight inFlight, Duration bodyTime) {
        this.vertx = vertx;
        this.guard = guard;
        this.routes = routes;
        this.own = own;
        this.inFlight = inFlight;
        this.bodyTime = bodyTime;
    }

    void handle(HttpServerRequest request) {
        if (Condemned.is(request.connection())) return;
        String flaw = RequestChecks.flawOf(request);
        if (flaw != null) {
            Responses.endAndClose(request, Problem.badRequest(flaw));
            return;
        }
        if (own.answers(request)) return;
        RouteMap.Found route = routes.find(request.method().name(), request.path());
        if (route == null) {
            Responses.endAndClose(
                    request, Problem.badRequest("its path can be read in two ways that lead to different operations"));
            return;
        }
        Headers headers = VertxHeaders.read(request.headers());
        if (headers.size() > MOST_HEADERS) {
            Responses.endAndClose(request, Problem.headTooLarge());
            return;
        }
        switch (Guard.admit(request.method().name(), headers, route.policy())) {
            case Admission.Pass it -> route.passThrough().forward(request, forwarded(request, headers), bodyTime);
            case Admission.Refused it -> Responses.end(request, it.answer());
            case Admission.Keyed it -> takeIn(request, headers, route, it.key());
        }
    }

    private void takeIn(HttpServerRequest request, Headers headers, RouteMap.Found route, String key) {
        KeyId id;
        try {
            id = KeyId.of("", route.operation(), key);
        } catch (IllegalArgumentException e) {
            Responses.endAndClose(request, Problem.badRequest("its path is too long for an operation with a key"));
            return;
        }
        Context loop = vertx.getOrCreateContext();
        new BodyReader(vertx, request, route.policy().requestLimit(), bodyTime)
                .read(
                        body -> {
                            boolean taken = inFlight.run(() -> answer(request, headers, route, id, body, loop));
                            if (!taken) Responses.endAndClose(request, Problem.stopping());
                        },
                        refusal -> Responses.endAndClose(request, refusal));
    }

    /** On a virtual thread. A client that hangs up meanwhile changes nothing here. */
    private void answer(
            HttpServerRequest request, Headers headers, RouteMap.Found route, KeyId id, Buffer body, Context loop) {
        try {
            HttpRequest whole = new HttpRequest(
                    request.method().name(), request.path(), emptyToNull(request.query()), headers, body.getBytes());
            Headers onward = forwarded(request, headers);
            long limit = route.policy().responseLimit();
            Reply<LiveBody> reply = guard.answer(
                    whole,
                    id,
                    route.policy(),
                    attempt -> UpstreamExchange.start(vertx, loop, route.target(), whole, onward, attempt, limit)
                            .await());
            loop.runOnContext(nothing -> write(request, reply));
        } catch (RuntimeException e) {
            LOG.error("A request failed inside the gateway: {}", id.operation(), e);
            loop.runOnContext(nothing -> Responses.endAndClose(request, Problem.internalError()));
        }
    }

    private static Headers forwarded(HttpServerRequest request, Headers headers) {
        return ForwardedHeaders.upstream(request, headers);
    }

    private static @Nullable String emptyToNull(@Nullable String query) {
        return query == null || query.isEmpty() ? null : query;
    }

    private void write(HttpServerRequest request, Reply<LiveBody> reply) {
        switch (reply) {
            case Reply.Whole<LiveBody> it -> hurry(request, it.response(), Responses.end(request, it.response()));
            case Reply.Live<LiveBody> it -> {
                Responses.head(request, it.status(), it.headers());
                it.body().passOnTo(request);
            }
        }
    }

    /** An answer that is kept in memory until its client fetches it must be fetched in time. It can be had again. */
    private void hurry(HttpServerRequest request, HttpResponse answer, Future<Void> leaving) {
        if (answer.body().length <= FITS_IN_A_SOCKET || leaving.isComplete()) return;
        long timer = vertx.setTimer(bodyTime.toMillis(), late -> Responses.giveUp(request));
        leaving.onComplete(left -> vertx.cancelTimer(timer));
    }
}
