package dev.semel.gateway;

import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.http.HttpResponse;
import dev.semel.http.Problem;
import dev.semel.http.service.OwnResources;
import dev.semel.http.service.OwnResources.Step;
import dev.semel.http.tenant.TenantReading;
import dev.semel.http.tenant.TenantRule;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers what the gateway answers itself, on the listener of the API. */
final class OwnAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(OwnAnswers.class);
    private static final byte[] NO_BODY = {};

    private final Vertx vertx;
    private final OwnResources resources;
    private final InFlight inFlight;
    private final TenantRule tenants;
    private final Delivery delivery;
    private final Duration bodyTime;

    OwnAnswers(
            Vertx vertx,
            OwnResources resources,
            InFlight inFlight,
            TenantRule tenants,
            Delivery delivery,
            Duration bodyTime) {
        this.vertx = vertx;
        this.resources = resources;
        this.inFlight = inFlight;
        this.tenants = tenants;
        this.delivery = delivery;
        this.bodyTime = bodyTime;
    }

    /** @return whether the request was for one of the own resources, and is being answered */
    boolean answers(HttpServerRequest request) {
        String path = request.path();
        if (!OwnResources.areAt(path)) return false;
        Headers headers = VertxHeaders.read(request.headers());
        switch (resources.head(request.method().name(), path, request.query(), headers)) {
            case Step.Answer it when it.closes() -> Responses.endAndClose(request, it.response());
            case Step.Answer it -> delivery.deliver(request, it.response());
            case Step.Ask it
            when it.limit() == 0 -> answer(request, whole(request, headers, NO_BODY), it, delivery.share());
            case Step.Ask it -> readAndAnswer(request, headers, it);
        }
        return true;
    }

    private void readAndAnswer(HttpServerRequest request, Headers headers, Step.Ask ask) {
        BodyShare share = delivery.share();
        new BodyReader(vertx, request, share, ask.limit(), bodyTime)
                .read(
                        body -> answer(request, whole(request, headers, body), ask, share),
                        refusal -> Responses.endAndClose(request, refusal));
    }

    private static HttpRequest whole(HttpServerRequest request, Headers headers, byte[] body) {
        return new HttpRequest(request.method().name(), request.path(), request.query(), headers, body);
    }

    /** On a virtual thread. A client that hangs up meanwhile changes nothing. */
    private void answer(HttpServerRequest request, HttpRequest whole, Step.Ask ask, BodyShare share) {
        Context loop = vertx.getOrCreateContext();
        boolean taken = inFlight.run(whole.body().length, () -> {
            HttpResponse response = Delivery.fitting(answer(whole, ask), share);
            loop.runOnContext(nothing -> delivery.deliver(request, response, share));
        });
        if (taken) return;
        share.release();
        Responses.endAndClose(request, Problem.stopping());
    }

    private HttpResponse answer(HttpRequest whole, Step.Ask ask) {
        try {
            return switch (tenants.read(whole.headers())) {
                case TenantReading.Known it -> ask.resource().answer(it.tenant(), whole);
                case TenantReading.Unknown it -> Problem.tenantUnknown(it.why(), tenants.challenge());
                case TenantReading.Unavailable it -> Problem.tenantUnavailable(it.why());
            };
        } catch (RuntimeException e) {
            LOG.error("A request failed inside the gateway: {}", ask.what(), e);
            return Problem.internalError();
        }
    }
}
