package dev.semel.gateway;

import dev.semel.core.key.KeyId;
import dev.semel.gateway.config.Quantities;
import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import dev.semel.http.KeyStatus;
import dev.semel.http.Problem;
import dev.semel.http.PublishedPolicy;
import dev.semel.http.StatusLink;
import dev.semel.http.tenant.TenantReading;
import dev.semel.http.tenant.TenantRule;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the gateway answers itself, on the listener of the API: its published policy, and the status of a key. */
final class OwnResources {
    private static final Logger LOG = LoggerFactory.getLogger(OwnResources.class);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private final Vertx vertx;
    private final PublishedPolicy policy;
    private final KeyStatus status;
    private final InFlight inFlight;
    private final TenantRule tenants;

    OwnResources(Vertx vertx, PublishedPolicy policy, KeyStatus status, InFlight inFlight, TenantRule tenants) {
        this.vertx = vertx;
        this.policy = policy;
        this.status = status;
        this.inFlight = inFlight;
        this.tenants = tenants;
    }

    /** @return whether the request was for one of them, and is being answered */
    boolean answers(HttpServerRequest request) {
        String path = request.path();
        boolean mine = path.equals(PublishedPolicy.PATH) || path.startsWith("/.semel/");
        if (!mine) return false;
        if (!request.method().name().equals("GET"))
            Responses.endAndClose(request, Problem.badRequest("this resource knows GET only"));
        else if (path.equals(PublishedPolicy.PATH))
            Responses.end(request, policy.answer(VertxHeaders.read(request.headers())));
        else if (path.startsWith(StatusLink.PREFIX)) keyStatus(request, path.substring(StatusLink.PREFIX.length()));
        else Responses.end(request, Problem.noSuchResource());
        return true;
    }

    private void keyStatus(HttpServerRequest request, String encodedKey) {
        String key;
        String operation;
        Duration wait;
        try {
            wait = wait(request.getParam("wait"));
            key = URLDecoder.decode(encodedKey.replace("+", "%2B"), StandardCharsets.UTF_8);
            operation = request.getParam("operation");
            if (operation == null)
                throw new IllegalArgumentException(
                        "the query must name the operation, such as ?operation=POST%20/v1/charges");
            KeyId.of("", operation, key);
        } catch (IllegalArgumentException e) {
            Responses.end(request, Problem.badRequest(String.valueOf(e.getMessage())));
            return;
        }
        Context loop = vertx.getOrCreateContext();
        Headers headers = VertxHeaders.read(request.headers());
        boolean taken = inFlight.run(() -> {
            HttpResponse answer = answer(headers, operation, key, wait);
            loop.runOnContext(nothing -> Responses.end(request, answer));
        });
        if (!taken) Responses.endAndClose(request, Problem.stopping());
    }

    private HttpResponse answer(Headers headers, String operation, String key, Duration wait) {
        try {
            return switch (tenants.read(headers)) {
                case TenantReading.Known it -> status.of(KeyId.of(it.tenant(), operation, key), wait);
                case TenantReading.Unknown it -> Problem.tenantUnknown(it.why());
                case TenantReading.Unavailable it -> Problem.tenantUnavailable(it.why());
            };
        } catch (RuntimeException e) {
            LOG.error("The status of a key could not be told: {}", operation, e);
            return Problem.internalError();
        }
    }

    private static Duration wait(@Nullable String asked) {
        if (asked == null) return Duration.ZERO;
        Duration wait = Quantities.duration(asked);
        return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
    }
}
