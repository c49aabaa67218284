package dev.semel.gateway;

import dev.semel.gateway.metrics.GatewayMetrics;
import dev.semel.gateway.wire.ClosingConnections;
import dev.semel.http.Admission;
import dev.semel.http.Attempt;
import dev.semel.http.AttemptHeaders;
import dev.semel.http.Exchange;
import dev.semel.http.Guard;
import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.http.HttpResponse;
import dev.semel.http.KeyMode;
import dev.semel.http.MethodOverrides;
import dev.semel.http.Problem;
import dev.semel.http.Reply;
import dev.semel.http.Scope;
import dev.semel.http.service.OwnResources;
import dev.semel.http.tenant.TenantReading;
import dev.semel.http.tenant.TenantRule;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Set;
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

    private final Vertx vertx;
    private final Guard guard;
    private final RouteMap routes;
    private final OwnAnswers own;
    private final WebhookIngress webhooks;
    private final InFlight inFlight;
    private final TenantRule tenants;
    private final Delivery delivery;
    private final GatewayMetrics metrics;
    private final Duration bodyTime;

    Ingress(
            Vertx vertx,
            Guard guard,
            RouteMap routes,
            OwnAnswers own,
            WebhookIngress webhooks,
            InFlight inFlight,
            TenantRule tenants,
            Delivery delivery,
            GatewayMetrics metrics,
            Duration bodyTime) {
        this.vertx = vertx;
        this.guard = guard;
        this.routes = routes;
        this.own = own;
        this.webhooks = webhooks;
        this.inFlight = inFlight;
        this.tenants = tenants;
        this.delivery = delivery;
        this.metrics = metrics;
        this.bodyTime = bodyTime;
    }

    void handle(HttpServerRequest request) {
        if (ClosingConnections.contains(request.connection())) return;
        TrackedRequest tracked = new TrackedRequest(request, metrics.noRoute());
        String flaw = RequestChecks.flawOf(request);
        if (flaw != null) {
            tracked.endAndClose(Problem.badRequest(flaw));
            return;
        }
        if (OwnResources.areAt(request.path())) tracked.setOwnResources(metrics.ownResources());
        if (own.answers(request) || webhooks.answers(tracked)) return;
        RouteMap.Match route = routes.find(request.method().name(), request.path());
        if (route == null) {
            tracked.endAndClose(
                    Problem.badRequest("its method or path can be read in two ways that lead to different operations"));
            return;
        }
        tracked.setRoute(route.meters());
        Headers headers = VertxHeaders.read(request.headers());
        HttpResponse evasion = evasion(MethodOverrides.ofHead(headers, request.query()), request);
        if (evasion != null) {
            tracked.endAndClose(evasion);
            return;
        }
        if (headers.size() > MOST_HEADERS) {
            tracked.endAndClose(Problem.headTooLarge());
            return;
        }
        switch (Guard.admit(request.method().name(), headers, route.policy())) {
            case Admission.Pass it -> pass(tracked, headers, route);
            case Admission.Refused it -> tracked.end(it.answer());
            case Admission.Buffer it -> buffer(tracked, headers, route, it.key());
        }
    }

    private @Nullable HttpResponse evasion(Set<String> methods, HttpServerRequest request) {
        if (methods.size() > MethodOverrides.MAX_METHODS)
            return Problem.badRequest("its headers, its query or its body name too many methods");
        for (String meant : methods)
            if (routes.isEvadedBy(meant, request.method().name(), request.path()))
                return Problem.badRequest("a header, its query or its body names another method than its first line,"
                        + " and with that method it would take another route");
        return null;
    }

    private void pass(TrackedRequest tracked, Headers headers, RouteMap.Match route) {
        ReferenceCount references = routes.retain();
        route.passThrough()
                .forward(tracked, forwarded(tracked.request(), headers), bodyTime)
                .onComplete(open -> references.release());
    }

    private void buffer(TrackedRequest tracked, Headers headers, RouteMap.Match route, @Nullable String key) {
        HttpServerRequest request = tracked.request();
        Context loop = vertx.getOrCreateContext();
        BodyShare share = delivery.share();
        RequestReference reference = new RequestReference(routes.retain());
        request.response().closeHandler(gone -> reference.releaseWithClient());
        new BodyReader(vertx, request, share, route.policy().requestLimit(), bodyTime)
                .read(
                        body -> {
                            reference.outliveClient();
                            HttpRequest whole = whole(request, headers, body);
                            boolean taken = inFlight.run(body.length, () -> {
                                try {
                                    answer(tracked, whole, route, key, share, loop);
                                } finally {
                                    reference.release();
                                }
                            });
                            if (taken) return;
                            reference.release();
                            refuse(tracked, keyed(Problem.stopping(), route), share);
                        },
                        refusal -> {
                            reference.release();
                            tracked.endAndClose(keyed(refusal, route));
                        });
    }

    private static HttpRequest whole(HttpServerRequest request, Headers headers, byte[] body) {
        return new HttpRequest(request.method().name(), request.path(), emptyToNull(request.query()), headers, body);
    }

    private static void refuse(TrackedRequest tracked, HttpResponse answer, BodyShare share) {
        share.release();
        tracked.endAndClose(answer);
    }

    /** On a virtual thread. A client that hangs up meanwhile changes nothing here. */
    private void answer(
            TrackedRequest tracked,
            HttpRequest whole,
            RouteMap.Match route,
            @Nullable String key,
            BodyShare share,
            Context loop) {
        HttpServerRequest request = tracked.request();
        try {
            HttpResponse evasion = evasion(MethodOverrides.ofBody(whole), request);
            Headers onward = forwarded(request, whole.headers());
            Reply<StreamingBody> reply = evasion != null
                    ? new Reply.Whole<>(keyed(evasion, route))
                    : answer(whole, route, key, onward, share, loop);
            Reply<StreamingBody> fitting = fitting(reply, route, share);
            tracked.ended(fitting);
            loop.runOnContext(nothing -> write(request, fitting, share));
        } catch (RuntimeException e) {
            LOG.error("A request failed inside the gateway: {}", route.operation(), e);
            loop.runOnContext(nothing -> refuse(tracked, keyed(Problem.internalError(), route), share));
        }
    }

    private static HttpResponse keyed(HttpResponse answer, RouteMap.Match route) {
        return route.policy().key() == KeyMode.OFF ? answer : Guard.expiring(answer, route.policy());
    }

    private Reply<StreamingBody> answer(
            HttpRequest whole,
            RouteMap.Match route,
            @Nullable String key,
            Headers onward,
            BodyShare share,
            Context loop) {
        return switch (tenants.read(whole.headers())) {
            case TenantReading.Known it -> {
                Scope scope = new Scope(it.tenant(), route.operation(), route.name());
                yield answer(whole, scope, route, key, onward, share, loop);
            }
            case TenantReading.Unknown it ->
                new Reply.Whole<>(keyed(Problem.tenantUnknown(it.why(), tenants.challenge()), route));
            case TenantReading.Unavailable it -> new Reply.Whole<>(keyed(Problem.tenantUnavailable(it.why()), route));
        };
    }

    private Reply<StreamingBody> answer(
            HttpRequest whole,
            Scope scope,
            RouteMap.Match route,
            @Nullable String key,
            Headers onward,
            BodyShare share,
            Context loop) {
        return guard.answer(
                whole, scope, key, route.policy(), attempt -> send(whole, route, attempt, onward, share, loop));
    }

    private Exchange<StreamingBody> send(
            HttpRequest whole, RouteMap.Match route, Attempt attempt, Headers onward, BodyShare share, Context loop) {
        long began = System.nanoTime();
        Exchange<StreamingBody> exchange = UpstreamExchange.start(
                        vertx,
                        loop,
                        route.target(),
                        whole,
                        AttemptHeaders.add(onward, route.policy().keys().source(), attempt),
                        attempt.stillHeld(),
                        route.policy().responseLimit(),
                        share)
                .await();
        route.meters().upstream(exchange, System.nanoTime() - began);
        return exchange;
    }

    private static Headers forwarded(HttpServerRequest request, Headers headers) {
        return ForwardedHeaders.upstream(request, headers);
    }

    private static @Nullable String emptyToNull(@Nullable String query) {
        return query == null || query.isEmpty() ? null : query;
    }

    private static Reply<StreamingBody> fitting(Reply<StreamingBody> reply, RouteMap.Match route, BodyShare share) {
        if (!(reply instanceof Reply.Whole<StreamingBody> whole)) return reply;
        boolean fits = share.keepOnly(whole.response().body().length);
        return fits ? reply : new Reply.Whole<>(keyed(Problem.overloaded(), route));
    }

    private void write(HttpServerRequest request, Reply<StreamingBody> reply, BodyShare share) {
        switch (reply) {
            case Reply.Whole<StreamingBody> it -> delivery.deliver(request, it.response(), share);
            case Reply.Streaming<StreamingBody> it -> {
                Responses.head(request, it.status(), it.headers());
                it.body().passOnTo(request).onComplete(left -> share.release());
            }
        }
    }
}
