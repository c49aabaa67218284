package dev.semel.gateway;

import dev.semel.core.key.KeyId;
import dev.semel.gateway.config.Quantities;
import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.http.HttpResponse;
import dev.semel.http.IdempotencyKey;
import dev.semel.http.KeyReading;
import dev.semel.http.KeyStatus;
import dev.semel.http.Problem;
import dev.semel.http.PublishedPolicy;
import dev.semel.http.ServiceNames;
import dev.semel.http.StatusLink;
import dev.semel.http.service.OpenApi;
import dev.semel.http.service.ServiceAccess;
import dev.semel.http.service.ServiceApi;
import dev.semel.http.tenant.TenantReading;
import dev.semel.http.tenant.TenantRule;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the gateway answers itself, on the listener of the API: its published policy, the status of a key, and the
 * service API with its description.
 */
final class OwnResources {
    private static final Logger LOG = LoggerFactory.getLogger(OwnResources.class);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    private static final byte[] NO_BODY = {};

    private final Vertx vertx;
    private final PublishedPolicy policy;
    private final KeyStatus status;
    private final ServiceApi service;
    private final ServiceAccess serviceAccess;
    private final InFlight inFlight;
    private final TenantRule tenants;
    private final Delivery delivery;
    private final Duration bodyTime;

    OwnResources(
            Vertx vertx,
            PublishedPolicy policy,
            KeyStatus status,
            ServiceApi service,
            ServiceAccess serviceAccess,
            InFlight inFlight,
            TenantRule tenants,
            Delivery delivery,
            Duration bodyTime) {
        this.vertx = vertx;
        this.policy = policy;
        this.status = status;
        this.service = service;
        this.serviceAccess = serviceAccess;
        this.inFlight = inFlight;
        this.tenants = tenants;
        this.delivery = delivery;
        this.bodyTime = bodyTime;
    }

    static boolean areAt(String path) {
        return path.equals(PublishedPolicy.PATH) || path.startsWith("/.semel/");
    }

    /** @return whether the request was for one of them, and is being answered */
    boolean answers(HttpServerRequest request) {
        String path = request.path();
        if (!areAt(path)) return false;
        if (ServiceApi.isAt(path)) serve(request);
        else if (!isRead(request.method().name())) refuseWithBody(request, isKnown(path));
        else if (!isKnown(path)) Responses.end(request, Problem.noSuchResource());
        else if (path.equals(PublishedPolicy.PATH))
            delivery.deliver(request, policy.answer(VertxHeaders.read(request.headers())));
        else if (path.equals(OpenApi.PATH)) delivery.deliver(request, OpenApi.answer());
        else keyStatus(request, path.substring(StatusLink.PREFIX.length()));
        return true;
    }

    private static boolean isRead(String method) {
        return method.equals("GET") || method.equals("HEAD");
    }

    private static boolean isKnown(String path) {
        return path.equals(PublishedPolicy.PATH) || path.equals(OpenApi.PATH) || path.startsWith(StatusLink.PREFIX);
    }

    /** Closes the connection, for nobody reads the body that may follow. */
    private static void refuseWithBody(HttpServerRequest request, boolean known) {
        Responses.endAndClose(request, known ? Problem.methodNotAllowed("GET, HEAD") : Problem.noSuchResource());
    }

    private void serve(HttpServerRequest request) {
        Headers headers = VertxHeaders.read(request.headers());
        HttpResponse refused = serviceAccess.refusal(headers);
        if (refused != null) {
            // Nothing of a body is taken from someone who may not send one.
            Responses.endAndClose(request, refused);
            return;
        }
        long limit = service.requestLimit(request.path());
        BodyShare share = delivery.share();
        new BodyReader(vertx, request, share, limit, bodyTime)
                .read(
                        body -> {
                            HttpRequest whole = new HttpRequest(
                                    request.method().name(), request.path(), request.query(), headers, body);
                            answer(request, whole, share, "a claim", tenant -> service.answer(tenant, whole));
                        },
                        refusal -> Responses.endAndClose(request, refusal));
    }

    private void keyStatus(HttpServerRequest request, String encodedKey) {
        String key;
        String operation;
        Duration wait;
        try {
            wait = wait(request.getParam("wait"));
            key = URLDecoder.decode(encodedKey.replace("+", "%2B"), StandardCharsets.UTF_8);
            String asked = request.getParam("operation");
            if (asked == null)
                throw new IllegalArgumentException(
                        "the query must name the operation, such as ?operation=POST%20/v1/charges");
            operation = ServiceNames.asked(asked);
            if (KeyId.isReserved(operation)) {
                Responses.end(request, Problem.keyUnknown());
                return;
            }
            KeyId.of("", operation, key);
        } catch (IllegalArgumentException e) {
            Responses.end(request, Problem.badRequest(String.valueOf(e.getMessage())));
            return;
        }
        HttpRequest asked = new HttpRequest(
                request.method().name(),
                request.path(),
                request.query(),
                VertxHeaders.read(request.headers()),
                NO_BODY);
        HttpResponse refused = ServiceNames.isService(operation) ? serviceAccess.refusal(asked.headers()) : null;
        if (refused != null) {
            Responses.end(request, refused);
            return;
        }
        answer(request, asked, delivery.share(), operation, tenant -> status(tenant, operation, key, wait));
    }

    /** A key is the same quoted or bare; quotes that are part of one come from the service API. */
    private HttpResponse status(String tenant, String operation, String key, Duration wait) {
        HttpResponse found = status.of(KeyId.of(tenant, operation, key), wait);
        if (found.status() != 404 || !key.startsWith("\"")) return found;
        return IdempotencyKey.read(Headers.NONE.with(IdempotencyKey.HEADER, key), IdempotencyKey.HEADER)
                        instanceof KeyReading.Present it
                ? status.of(KeyId.of(tenant, operation, it.key()), wait)
                : found;
    }

    /** On a virtual thread. A client that hangs up meanwhile changes nothing. */
    private void answer(
            HttpServerRequest request,
            HttpRequest whole,
            BodyShare share,
            String what,
            Function<String, HttpResponse> byTenant) {
        Context loop = vertx.getOrCreateContext();
        boolean taken = inFlight.run(whole.body().length, () -> {
            HttpResponse response = Delivery.fitting(answer(whole.headers(), what, byTenant), share);
            loop.runOnContext(nothing -> delivery.deliver(request, response, share));
        });
        if (taken) return;
        share.release();
        Responses.endAndClose(request, Problem.stopping());
    }

    private HttpResponse answer(Headers headers, String what, Function<String, HttpResponse> byTenant) {
        try {
            return switch (tenants.read(headers)) {
                case TenantReading.Known it -> byTenant.apply(it.tenant());
                case TenantReading.Unknown it -> Problem.tenantUnknown(it.why(), tenants.challenge());
                case TenantReading.Unavailable it -> Problem.tenantUnavailable(it.why());
            };
        } catch (RuntimeException e) {
            LOG.error("A request failed inside the gateway: {}", what, e);
            return Problem.internalError();
        }
    }

    private static Duration wait(@Nullable String asked) {
        if (asked == null) return Duration.ZERO;
        Duration wait = Quantities.duration(asked);
        return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
    }
}
