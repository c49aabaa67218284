package dev.semel.admin;

import dev.semel.admin.KeySearch.Found;
import dev.semel.core.Semel;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.key.KeyId;
import dev.semel.core.store.StoreException;
import dev.semel.http.HttpRequest;
import dev.semel.http.HttpResponse;
import dev.semel.http.key.WeakKeys;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The admin API: {@code GET /admin/v1/status}, {@code GET /admin/v1/keys}, {@code GET /admin/v1/keys/{key}}, and {@code
 * POST} to {@code /resolve} and {@code /release} below a key. Who may use it is not asked here, see {@link AdminAccess}.
 *
 * <p>For use by any thread; blocks, so for virtual threads. What an answer says was changed is durable.
 */
public final class AdminApi {
    /** Every path of the API starts like this. */
    public static final String PREFIX = "/admin/";

    private static final String STATUS = "/admin/v1/status";
    private static final String KEYS = "/admin/v1/keys";
    private static final Set<String> SCOPE = Set.of("operation", "tenant");
    private static final Set<String> SCOPE_AND_BODY = Set.of("operation", "tenant", "body");

    private final Status status;
    private final KeyList list;
    private final KeySearch search;
    private final Repair repair;

    /**
     * @param operations under which to look for a key whose operation is not named
     * @param policies how long an outcome is kept that an operator gives; null for the usual
     * @param weakKeys whose counts are told
     * @param audit is told of every change, after it was made
     */
    public AdminApi(
            Semel semel,
            Supplier<List<String>> operations,
            Function<KeyId, @Nullable ClaimPolicy> policies,
            WeakKeys weakKeys,
            Consumer<AuditEntry> audit) {
        this.status = new Status(weakKeys);
        this.list = new KeyList(semel.store());
        this.search = new KeySearch(semel.store(), operations);
        this.repair = new Repair(semel, policies, audit);
    }

    public HttpResponse answer(HttpRequest request) {
        try {
            return route(request);
        } catch (IllegalArgumentException e) {
            return AdminProblem.badRequest(String.valueOf(e.getMessage()));
        } catch (StoreException e) {
            return AdminProblem.storeUnavailable(e);
        }
    }

    private HttpResponse route(HttpRequest request) {
        String path = request.path();
        if (path.equals(STATUS)) return status(request);
        if (path.equals(KEYS)) return list(request);
        if (!path.startsWith(KEYS + "/")) return AdminProblem.noSuchResource();
        String[] rest = path.substring(KEYS.length() + 1).split("/", -1);
        String key = Query.segment(rest[0]);
        String action = rest.length == 1 ? "" : rest[1];
        if (key.isEmpty() || rest.length > 2) return AdminProblem.noSuchResource();
        return switch (action) {
            case "" -> rest.length == 1 ? story(key, request) : AdminProblem.noSuchResource();
            case "resolve" -> change(key, request, found -> repair.resolve(found, request.body()));
            case "release" -> change(key, request, found -> repair.release(found, request.body()));
            default -> AdminProblem.noSuchResource();
        };
    }

    private HttpResponse status(HttpRequest request) {
        if (!request.method().equals("GET")) return AdminProblem.wrongMethod("GET");
        if (request.query() != null) throw new IllegalArgumentException("the status takes no query");
        return status.answer();
    }

    private HttpResponse list(HttpRequest request) {
        if (!request.method().equals("GET")) return AdminProblem.wrongMethod("GET");
        return list.page(Query.of(request.query(), KeyList.NAMES));
    }

    private HttpResponse story(String key, HttpRequest request) {
        if (!request.method().equals("GET")) return AdminProblem.wrongMethod("GET");
        Query query = Query.of(request.query(), SCOPE_AND_BODY);
        boolean body = query.isTrue("body");
        return found(key, query, one -> KeyStory.of(one.record(), one.now(), body));
    }

    private HttpResponse change(String key, HttpRequest request, Function<Found.One, HttpResponse> action) {
        if (!request.method().equals("POST")) return AdminProblem.wrongMethod("POST");
        return found(key, Query.of(request.query(), SCOPE), action);
    }

    private HttpResponse found(String key, Query query, Function<Found.One, HttpResponse> action) {
        return switch (search.find(key, query.get("operation"), query.get("tenant"))) {
            case Found.One one -> action.apply(one);
            case Found.Several it -> AdminProblem.ambiguousKey(it.candidates());
            case Found.None it -> AdminProblem.keyUnknown(it.advice());
        };
    }
}
