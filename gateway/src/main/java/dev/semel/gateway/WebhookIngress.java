package dev.semel.gateway;

import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import dev.semel.http.Problem;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The way in for webhooks, one per event loop: takes each in whole, has it verified and stored on a virtual thread, and only then
 * acknowledges it. Keeps everybody else away from where webhooks are delivered.
 */
final class WebhookIngress {
    private static final int MOST_HEADERS = 256;

    private final Vertx vertx;
    private final Webhooks webhooks;
    private final InFlight inFlight;
    private final Delivery delivery;
    private final Duration bodyTime;

    WebhookIngress(Vertx vertx, Webhooks webhooks, InFlight inFlight, Delivery delivery, Duration bodyTime) {
        this.vertx = vertx;
        this.webhooks = webhooks;
        this.inFlight = inFlight;
        this.delivery = delivery;
        this.bodyTime = bodyTime;
    }

    /** @return whether the request was a webhook, or wanted to look like one, and is being answered */
    boolean answers(TrackedRequest tracked) {
        HttpServerRequest request = tracked.request();
        WebhookRoute route = webhooks.routeAt(request.path());
        if (route == null) {
            if (!webhooks.isDelivery(request.path())) return false;
            tracked.endAndClose(Problem.onlyForWebhooks());
            return true;
        }
        tracked.setOwnResources(route.meters());
        HttpResponse refused = refusal(request);
        if (refused == null) read(request, route);
        else Responses.endAndClose(request, refused);
        return true;
    }

    private static @Nullable HttpResponse refusal(HttpServerRequest request) {
        if (!request.method().name().equals("POST")) return Problem.methodNotAllowed("POST");
        if (request.headers().size() > MOST_HEADERS) return Problem.headTooLarge();
        String encoding = request.getHeader("Content-Encoding");
        boolean plain = encoding == null || encoding.equalsIgnoreCase("identity");
        return plain ? null : Problem.encodedWebhook();
    }

    private void read(HttpServerRequest request, WebhookRoute route) {
        Headers headers = VertxHeaders.read(request.headers());
        Context loop = vertx.getOrCreateContext();
        BodyShare share = delivery.share();
        new BodyReader(vertx, request, share, route.largest(), bodyTime)
                .read(
                        body -> receive(request, route, headers, body, share, loop),
                        refusal ->
                                Responses.endAndClose(request, refusal.status() == 413 ? route.tooLarge() : refusal));
    }

    private void receive(
            HttpServerRequest request,
            WebhookRoute route,
            Headers headers,
            byte[] body,
            BodyShare share,
            Context loop) {
        boolean taken = inFlight.run(body.length, () -> {
            HttpResponse answer = Delivery.fitting(route.receive(headers, body), share);
            loop.runOnContext(nothing -> delivery.deliver(request, answer, share));
        });
        if (taken) return;
        share.release();
        Responses.endAndClose(request, Problem.stopping());
    }
}
