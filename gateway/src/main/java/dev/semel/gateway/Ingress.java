package dev.semel.gateway;

import dev.semel.gateway.wire.Condemned;
import dev.semel.http.Admission;
import dev.semel.http.Attempt;
import dev.semel.http.Guard;
import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.http.HttpResponse;
import dev.semel.http.IdempotencyKey;
import dev.semel.http.KeyMode;
import dev.semel.http.KeySource;
import dev.semel.http.Problem;
import dev.semel.http.Reply;
import dev.semel.http.Scope;
import dev.semel.http.tenant.TenantReading;
import dev.semel.http.tenant.TenantRule;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way in, one per event loop. Reads top to bottom: refuse what is no proper request, find its route, then either
 * pass it through, or take it in whole and answer it on a virtual thread of its own.
 */
final class Ingress {
    /** Headers by which some servers let a request be another. */
    private static final List<String> METHOD_OVERRIDES =
            List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override");

    private static final Logger LOG = LoggerFactory.getLogger(Ingress.class);
    private static final int MOST_HEADERS = 256;
    private static final int FITS_IN_A_SOCKET = 64 * 1024;

    private final Vertx vertx;
    private final Guard guard;
    private final RouteMap routes;
    private final OwnResources own;
    private final InFlight inFlight;
    private final TenantRule tenants;
    private final Duration bodyTime;

    Ingress(
            Vertx vertx,
            Guard guard,
            RouteMap routes,
            OwnResources own,
            InFlight inFlight,
            TenantRule tenants,
            Duration bodyTime) {
        this.vertx = vertx;
        this.guard = guard;
        this.routes = routes;
        this.own = own;
        this.inFlight = inFlight;
        this.tenants = tenants;
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
                    request,
                    Problem.badRequest("its method or path can be read in two ways that lead to different operations"));
            return;
        }
        Headers headers = VertxHeaders.read(request.headers());
        for (String name : METHOD_OVERRIDES)
            if (routes.isEvadedBy(headers.first(name), request.method().name(), request.path())) {
                Responses.endAndClose(request, Problem.badRequest(name + " names a method that takes another route"));
                return;
            }
        if (headers.size() > MOST_HEADERS) {
            Responses.endAndClose(request, Problem.headTooLarge());
            return;
        }
        switch (Guard.admit(request.method().name(), headers, route.policy())) {
            case Admission.Pass it -> route.passThrough().forward(request, forwarded(request, headers), bodyTime);
            case Admission.Refused it -> Responses.end(request, it.answer());
            case Admission.TakeIn it -> takeIn(request, headers, route, it.key());
        }
    }

    private void takeIn(HttpServerRequest request, Headers headers, RouteMap.Found route, @Nullable String key) {
        Context loop = vertx.getOrCreateContext();
        new BodyReader(vertx, request, route.policy().requestLimit(), bodyTime)
                .read(
                        body -> {
                            boolean taken =
                                    inFlight.run(body.length(), () -> answer(request, headers, route, key, body, loop));
                            if (!taken) Responses.endAndClose(request, keyed(Problem.stopping(), route));
                        },
                        refusal -> Responses.endAndClose(request, keyed(refusal, route)));
    }

    /** On a virtual thread. A client that hangs up meanwhile changes nothing here. */
    private void answer(
            HttpServerRequest request,
            Headers headers,
            RouteMap.Found route,
            @Nullable String key,
            Buffer body,
            Context loop) {
        try {
            HttpRequest whole = new HttpRequest(
                    request.method().name(), request.path(), emptyToNull(request.query()), headers, body.getBytes());
            Headers onward = forwarded(request, headers);
            Reply<LiveBody> reply = switch (tenants.read(headers)) {
                case TenantReading.Known it ->
                    answer(whole, new Scope(it.tenant(), route.operation(), route.name()), route, key, onward, loop);
                case TenantReading.Unknown it ->
                    new Reply.Whole<>(keyed(Problem.tenantUnknown(it.why(), tenants.challenge()), route));
                case TenantReading.Unavailable it ->
                    new Reply.Whole<>(keyed(Problem.tenantUnavailable(it.why()), route));
            };
            loop.runOnContext(nothing -> write(request, reply));
        } catch (RuntimeException e) {
            LOG.error("A request failed inside the gateway: {}", route.operation(), e);
            loop.runOnContext(nothing -> Responses.endAndClose(request, keyed(Problem.internalError(), route)));
        }
    }

    private static HttpResponse keyed(HttpResponse answer, RouteMap.Found route) {
        return route.policy().key() == KeyMode.OFF ? answer : Guard.expiring(answer, route.policy());
    }

    private Reply<LiveBody> answer(
            HttpRequest whole, Scope scope, RouteMap.Found route, @Nullable String key, Headers onward, Context loop) {
        long limit = route.policy().responseLimit();
        return guard.answer(
                whole,
                scope,
                key,
                route.policy(),
                attempt -> UpstreamExchange.start(
                                vertx,
                                loop,
                                route.target(),
                                whole,
                                attempted(onward, route.policy().keys().source(), attempt),
                                attempt.stillHeld(),
                                limit)
                        .await());
    }

    /** The key goes on as the client sent it; one that was found elsewhere takes the place of any that was sent. */
    private static Headers attempted(Headers onward, KeySource source, Attempt attempt) {
        if (!attempt.hasKey()) return onward;
        Headers keyed = source.equals(KeySource.DEFAULT)
                ? onward
                : onward.without(name -> name.equalsIgnoreCase(IdempotencyKey.HEADER))
                        .with(IdempotencyKey.HEADER, attempt.key());
        return keyed.with("Semel-Fencing-Token", Long.toString(attempt.token()))
                .with("Semel-Attempt", Integer.toString(attempt.number()));
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
