package dev.semel.http.service;

import dev.semel.core.key.KeyId;
import dev.semel.http.DurationText;
import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.http.HttpResponse;
import dev.semel.http.IdempotencyKey;
import dev.semel.http.KeyReading;
import dev.semel.http.KeyStatus;
import dev.semel.http.Problem;
import dev.semel.http.PublishedPolicy;
import dev.semel.http.QueryText;
import dev.semel.http.ServiceNames;
import dev.semel.http.StatusLink;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What Semel answers itself beside the API that it guards: the published policy, the status of a key, and the service API
 * with its description. Immutable, for use by any thread; {@link ByTenant#answer} blocks.
 */
public final class OwnResources {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private final PublishedPolicy policy;
    private final KeyStatus status;
    private final ServiceApi service;
    private final ServiceAccess access;

    public OwnResources(PublishedPolicy policy, KeyStatus status, ServiceApi service, ServiceAccess access) {
        this.policy = policy;
        this.status = status;
        this.service = service;
        this.access = access;
    }

    /** Whether a path is that of such a resource, or would be. */
    public static boolean areAt(String path) {
        return path.equals(PublishedPolicy.PATH) || path.startsWith("/.semel/");
    }

    /** How a request for such a resource goes on, by its head alone. */
    public sealed interface Step {
        /** @param closes whether a body may follow that nobody reads */
        record Answer(HttpResponse response, boolean closes) implements Step {}

        /**
         * Read the body, up to a limit, find out whose request it is, then ask for the answer.
         *
         * @param limit in bytes; zero when no body is wanted
         * @param what was asked for, in words for a log
         */
        record Ask(long limit, String what, ByTenant resource) implements Step {}
    }

    /** A resource that differs from tenant to tenant. */
    @FunctionalInterface
    public interface ByTenant {
        HttpResponse answer(String tenant, HttpRequest request);
    }

    /** @param path one that {@link #areAt} says yes to */
    public Step head(String method, String path, @Nullable String query, Headers headers) {
        if (ServiceApi.isAt(path)) return serve(path, headers);
        if (!isRead(method)) {
            HttpResponse refusal = isKnown(path) ? Problem.methodNotAllowed("GET, HEAD") : Problem.noSuchResource();
            return new Step.Answer(refusal, true);
        }
        if (!isKnown(path)) return whole(Problem.noSuchResource());
        if (path.equals(PublishedPolicy.PATH)) return whole(policy.answer(headers));
        if (path.equals(OpenApi.PATH)) return whole(OpenApi.answer());
        return keyStatus(path.substring(StatusLink.PREFIX.length()), query, headers);
    }

    private static boolean isRead(String method) {
        return method.equals("GET") || method.equals("HEAD");
    }

    private static boolean isKnown(String path) {
        return path.equals(PublishedPolicy.PATH) || path.equals(OpenApi.PATH) || path.startsWith(StatusLink.PREFIX);
    }

    private static Step whole(HttpResponse answer) {
        return new Step.Answer(answer, false);
    }

    private Step serve(String path, Headers headers) {
        HttpResponse refused = access.refusal(headers);
        // Nothing of a body is taken from someone who may not send one.
        if (refused != null) return new Step.Answer(refused, true);
        return new Step.Ask(service.requestLimit(path), "a claim", service::answer);
    }

    private Step keyStatus(String encodedKey, @Nullable String query, Headers headers) {
        try {
            Duration wait = wait(QueryText.first(query, "wait"));
            String key = URLDecoder.decode(encodedKey.replace("+", "%2B"), StandardCharsets.UTF_8);
            String asked = QueryText.first(query, "operation");
            if (asked == null)
                throw new IllegalArgumentException(
                        "the query must name the operation, such as ?operation=POST%20/v1/charges");
            String operation = ServiceNames.asked(asked);
            if (KeyId.isReserved(operation)) return whole(Problem.keyUnknown());
            KeyId.of("", operation, key);
            HttpResponse refused = ServiceNames.isService(operation) ? access.refusal(headers) : null;
            if (refused != null) return whole(refused);
            return new Step.Ask(0, operation, (tenant, request) -> status(tenant, operation, key, wait));
        } catch (IllegalArgumentException e) {
            return whole(Problem.badRequest(String.valueOf(e.getMessage())));
        }
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

    private static Duration wait(@Nullable String asked) {
        if (asked == null) return Duration.ZERO;
        Duration wait = DurationText.parse(asked);
        return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
    }
}
