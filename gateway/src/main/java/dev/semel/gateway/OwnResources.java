package dev.semel.gateway;

import dev.semel.core.key.KeyId;
import dev.semel.gateway.config.Quantities;
import dev.semel.http.HttpResponse;
import dev.semel.http.KeyStatus;
import dev.semel.http.Problem;
import dev.semel.http.PublishedPolicy;
import dev.semel.http.StatusLink;
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

    OwnResources(Vertx vertx, PublishedPolicy policy, KeyStatus status, InFlight inFlight) {
        this.vertx = vertx;
        this.policy = policy;
        this.status = status;
        this.inFlight = inFlight;
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
        KeyId id;
        Duration wait;
        try {
            wait = wait(request.getParam("wait"));
            String key = URLDecoder.decode(encodedKey.replace("+", "%2B"), StandardCharsets.UTF_8);
            String operation = request.getParam("operation");
            if (operation == null)
                throw new IllegalArgumentException(
                        "the query must name the operation, such as ?operation=POST%20/v1/charges");
            id = KeyId.of("", operation, key);
        } catch (IllegalArgumentException e) {
            Responses.end(request, Problem.badRequest(String.valueOf(e.getMessage())));
            return;
        }
        Context loop = vertx.getOrCreateContext();
        boolean taken = inFlight.run(() -> {
            HttpResponse answer = answer(id, wait);
            loop.runOnContext(nothing -> Responses.end(request, answer));
        });
        if (!taken) Responses.endAndClose(request, Problem.stopping());
    }

    private HttpResponse answer(KeyId id, Duration wait) {
        try {
            return status.of(id, wait);
        } catch (RuntimeException e) {
            LOG.error("The status of a key could not be told: {}", id.operation(), e);
            return Problem.internalError();
        }
    }

    private static Duration wait(@Nullable String asked) {
        if (asked == null) return Duration.ZERO;
        Duration wait = Quantities.duration(asked);
        return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
    }
}
