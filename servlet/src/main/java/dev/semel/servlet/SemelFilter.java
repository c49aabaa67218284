package dev.semel.servlet;

import dev.semel.core.Semel;
import dev.semel.http.Admission;
import dev.semel.http.Ending;
import dev.semel.http.Entrance;
import dev.semel.http.FailureRules;
import dev.semel.http.Guard;
import dev.semel.http.HeaderRules;
import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.http.HttpResponse;
import dev.semel.http.KeyMode;
import dev.semel.http.MethodOverrides;
import dev.semel.http.Passage;
import dev.semel.http.Problem;
import dev.semel.http.Scope;
import dev.semel.http.key.WeakKeys;
import dev.semel.http.service.ServiceAccess;
import dev.semel.http.tenant.TenantReading;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Gives the servlets behind it what the gateway gives an upstream: one attempt of a key runs, its response is recorded, and
 * every other attempt gets that response. Map it to {@code /*}, before whatever reads bodies or form parameters, and after
 * whatever finds out who the caller is.
 *
 * <p>The rest of the chain runs on the thread of the request. What it writes is held back until it is recorded, and so
 * the client gets nothing that a retry would not get too. A response that is larger than its route allows is recorded
 * without its body when the limit is passed, and from then on it goes to the client as it is written.
 *
 * <p>A servlet behind this filter cannot answer a guarded request asynchronously, nor read it as parts of a form: both are
 * refused with an exception. Requests without a key pass untouched, and may do both.
 *
 * <p>Immutable, for use by any thread; the engine belongs to whoever made it.
 */
public final class SemelFilter implements Filter {
    private static final System.Logger LOG = System.getLogger(SemelFilter.class.getName());
    private static final String ENTERED = SemelFilter.class.getName();
    private static final String SERVICE_CLOSED = "The service API is not served by this application.";

    private final Semel semel;
    private final ServletRoutes routes;
    private final ServletTenants tenants;
    private final FailureRules failures;
    private final ServiceAccess service;
    private final ServletListener listener;
    private final @Nullable String errorPage;
    private final WeakKeys weakKeys;
    private final Guard guard;
    private final OwnAnswers own;

    /** For one tenant; every exception of a servlet leaves a doubt. */
    public SemelFilter(Semel semel, ServletRoutes routes) {
        this(
                semel,
                routes,
                ServletTenants.single(),
                FailureRules.ALL_IN_DOUBT,
                ServiceAccess.closed(SERVICE_CLOSED),
                ServletListener.NONE,
                null,
                new WeakKeys(InstantSource.system(), SemelFilter::warn));
    }

    private SemelFilter(
            Semel semel,
            ServletRoutes routes,
            ServletTenants tenants,
            FailureRules failures,
            ServiceAccess service,
            ServletListener listener,
            @Nullable String errorPage,
            WeakKeys weakKeys) {
        this.semel = semel;
        this.routes = routes;
        this.tenants = tenants;
        this.failures = failures;
        this.service = service;
        this.listener = listener;
        this.errorPage = errorPage;
        this.weakKeys = weakKeys;
        this.guard = new Guard(semel, weakKeys);
        this.own = new OwnAnswers(semel, routes, tenants, service);
    }

    /** The same, where keys of different tenants never meet. */
    public SemelFilter withTenants(ServletTenants tenants) {
        return new SemelFilter(semel, routes, tenants, failures, service, listener, errorPage, weakKeys);
    }

    /** The same, where exceptions that leave the servlets mean this. */
    public SemelFilter withFailures(FailureRules failures) {
        return new SemelFilter(semel, routes, tenants, failures, service, listener, errorPage, weakKeys);
    }

    /** The same, with the service API at {@code /.semel/v1/claims} for whoever has access. Without this it is not served. */
    public SemelFilter withService(ServiceAccess service) {
        return new SemelFilter(semel, routes, tenants, failures, service, listener, errorPage, weakKeys);
    }

    /** The same, with a listener that is told how requests end. */
    public SemelFilter withListener(ServletListener listener) {
        return new SemelFilter(semel, routes, tenants, failures, service, listener, errorPage, weakKeys);
    }

    /**
     * The same, where the body for {@code sendError} comes from this path of the application, as from an error page: so it
     * is recorded too. Without this the body is the message alone.
     */
    public SemelFilter withErrorPage(String path) {
        return new SemelFilter(semel, routes, tenants, failures, service, listener, path, weakKeys);
    }

    /** The same, which tells this of keys that were chosen badly. Without it they are logged. */
    public SemelFilter withWeakKeys(WeakKeys weakKeys) {
        return new SemelFilter(semel, routes, tenants, failures, service, listener, errorPage, weakKeys);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest asked
                && response instanceof HttpServletResponse answer
                && isFirst(asked)) {
            asked.setAttribute(ENTERED, true);
            filter(new Call(asked, answer, chain));
        } else {
            chain.doFilter(request, response);
        }
    }

    /** Once a request, however often it is dispatched; and an error page is no operation. */
    private static boolean isFirst(HttpServletRequest request) {
        return request.getDispatcherType() != DispatcherType.ERROR && request.getAttribute(ENTERED) == null;
    }

    /** One request on its way through. */
    private final class Call {
        final HttpServletRequest request;
        final HttpServletResponse response;
        final FilterChain chain;
        final Headers headers;
        final long began = System.nanoTime();

        @Nullable
        ServletRoute route;

        Call(HttpServletRequest request, HttpServletResponse response, FilterChain chain) {
            this.request = request;
            this.response = response;
            this.chain = chain;
            this.headers = RequestHead.headers(request);
        }

        void tell(Ending ending, int status, @Nullable String problem) {
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            listener.on(new ServletListener.Ended(route, ending, status, problem, took));
        }

        void end(HttpResponse answer, Ending ending) throws IOException {
            tell(ending, answer.status(), answer.problem());
            Answers.write(request, response, answer);
        }

        void refuse(HttpResponse problem) throws IOException {
            end(problem, Ending.PROBLEM);
        }

        /** What may still come of the request is not wanted. */
        void refuseAndClose(HttpResponse problem) throws IOException {
            Answers.closeAfter(request, response);
            refuse(problem);
        }
    }

    private void filter(Call call) throws IOException, ServletException {
        HttpServletRequest request = call.request;
        if (own.areAt(request)) {
            own.answer(request, call.response, call.headers);
            return;
        }
        String evasion = routes.evasion(request, MethodOverrides.ofHead(call.headers, request.getQueryString()));
        if (evasion != null) {
            call.refuseAndClose(Problem.badRequest(evasion));
            return;
        }
        ServletRoute route = routes.route(request);
        if (route == null) {
            pass(call);
            return;
        }
        call.route = route;
        switch (Guard.admit(request.getMethod(), call.headers, route.policy())) {
            case Admission.Pass it -> pass(call);
            case Admission.Refused it -> call.refuse(it.answer());
            case Admission.Buffer it -> buffer(call, route, it.key());
        }
    }

    /** Untouched, but for what only Semel may say to the application, or the application to Semel. */
    private void pass(Call call) throws IOException, ServletException {
        Headers seen = HeaderRules.forApplication(call.headers);
        HttpServletRequest request =
                seen.size() == call.headers.size() ? call.request : new PassedRequest(call.request, seen);
        if (call.route == null) {
            call.chain.doFilter(request, call.response);
            return;
        }
        call.chain.doFilter(request, new PassedResponse(call.response));
        call.tell(Ending.PASSED, call.response.getStatus(), null);
    }

    private void buffer(Call call, ServletRoute route, @Nullable String key) throws IOException, ServletException {
        switch (RequestBody.read(call.request, route.policy().requestLimit())) {
            case RequestBody.Reading.Refused it -> call.refuseAndClose(keyed(it.answer(), route));
            case RequestBody.Reading.Whole it -> {
                try {
                    answer(call, route, key, RequestHead.whole(call.request, call.headers, it.bytes()));
                } catch (EngineFailure e) {
                    LOG.log(Level.ERROR, "A request failed inside SemelFilter: " + route.operation(), e.getCause());
                    call.refuse(keyed(Problem.internalError(), route));
                }
            }
        }
    }

    private void answer(Call call, ServletRoute route, @Nullable String key, HttpRequest whole)
            throws IOException, ServletException, EngineFailure {
        String evasion = routes.evasion(call.request, MethodOverrides.ofBody(whole));
        if (evasion != null) {
            call.refuse(keyed(Problem.badRequest(evasion), route));
            return;
        }
        switch (tenants.tenant(call.request)) {
            case TenantReading.Known it -> {
                Scope scope = new Scope(it.tenant(), route.operation(), route.name());
                switch (enter(whole, scope, key, route)) {
                    case Entrance.Answered(HttpResponse response, Ending ending) -> call.end(response, ending);
                    case Entrance.Open(Passage passage) -> run(call, route, whole, passage);
                }
            }
            case TenantReading.Unknown it ->
                call.refuse(keyed(Problem.tenantUnknown(it.why(), tenants.challenge()), route));
            case TenantReading.Unavailable it -> call.refuse(keyed(Problem.tenantUnavailable(it.why()), route));
        }
    }

    private Entrance enter(HttpRequest whole, Scope scope, @Nullable String key, ServletRoute route)
            throws EngineFailure {
        try {
            return guard.enter(whole, scope, key, route.policy());
        } catch (RuntimeException e) {
            throw new EngineFailure(e);
        }
    }

    private void run(Call call, ServletRoute route, HttpRequest whole, Passage passage)
            throws IOException, ServletException, EngineFailure {
        try (passage) {
            GuardedRequest request = new GuardedRequest(call.request, whole, route.policy(), passage.attempt());
            new ChainRun(passage, request, call.response, failures, errorPage, call::tell)
                    .run(call.chain, route.policy().responseLimit());
        }
    }

    private static HttpResponse keyed(HttpResponse answer, ServletRoute route) {
        return route.policy().key() == KeyMode.OFF ? answer : Guard.expiring(answer, route.policy());
    }

    private static void warn(WeakKeys.Finding finding) {
        LOG.log(
                Level.WARNING,
                "Weak keys on {0}: {1}, such as {2}. Two operations may come to share one; clients should send a UUID.",
                finding.route(),
                finding.kind().toString().toLowerCase(Locale.ROOT),
                finding.shape());
    }
}
