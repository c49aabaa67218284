package dev.semel.spring;

import dev.semel.http.Guard;
import dev.semel.http.KeyMode;
import dev.semel.http.PublishedPolicy;
import dev.semel.http.RoutePolicy;
import dev.semel.servlet.ServletRoute;
import dev.semel.servlet.ServletRoutes;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** Handler methods with {@link Once} as routes of the servlet filter. For use by any thread. */
final class ControllerRoutes implements ServletRoutes, OnceHandlers, OnceDeclarations {
    private record Place(Method method, String route) {}

    private final RequestLookup requests;
    private final SemelProperties settings;
    private final String prefix;
    private final Map<Place, ServletRoute> known = new ConcurrentHashMap<>();

    /** @param prefix what stands before the paths of controllers, such as the context path */
    ControllerRoutes(RequestLookup requests, SemelProperties settings, String prefix) {
        this.requests = requests;
        this.settings = settings;
        this.prefix = prefix;
    }

    @Override
    public @Nullable ServletRoute route(HttpServletRequest request) {
        if (Guard.isSafe(request.getMethod())) return null;
        RequestLookup.Found found = requests.find(request);
        if (found == null) return null;
        HandlerMethod handler = found.handler();
        Once once = OnceMethods.annotation(handler.getMethod(), handler.getBeanType());
        if (once == null) return null;
        PassedFilterCheck.note(request, handler.getMethod());
        String name = RouteNames.of(request.getMethod(), prefix + found.pattern());
        return known.computeIfAbsent(
                new Place(handler.getMethod(), name),
                first -> new ServletRoute(name, operation(once, name), policy(handler.getMethod(), once)));
    }

    private static String operation(Once once, String route) {
        return once.operation().isEmpty() ? route : once.operation();
    }

    private RoutePolicy policy(Method method, Once once) {
        RoutePolicy usual = RoutePolicy.DEFAULT;
        return new RoutePolicy(
                once.required() ? KeyMode.REQUIRED : KeyMode.OPTIONAL,
                usual.keys(),
                OnceMethod.policyOf(method, once, settings),
                settings.http().statusRules(),
                usual.fingerprint(),
                usual.headers(),
                null,
                null,
                settings.http().requestLimit().toBytes(),
                settings.http().responseLimit().toBytes());
    }

    @Override
    public List<PublishedPolicy.Route> published() {
        return routes().stream()
                .map(it -> new PublishedPolicy.Route(RouteNames.pattern(it.route), policy(it.method, it.once)))
                .toList();
    }

    @Override
    public List<OnceDeclaration> all() {
        return routes().stream()
                .map(it -> new OnceDeclaration(
                        operation(it.once, it.route),
                        OnceMethods.nameOf(it.method),
                        OnceMethod.policyOf(it.method, it.once, settings),
                        true))
                .toList();
    }

    private record Declared(Method method, Class<?> target, Once once, String route) {}

    private List<Declared> routes() {
        List<Declared> all = new ArrayList<>();
        for (HandlerMapping each : requests.mappings())
            if (each instanceof RequestMappingInfoHandlerMapping mapping)
                mapping.getHandlerMethods().forEach((info, handler) -> all.addAll(declared(info, handler)));
        return all;
    }

    private List<Declared> declared(RequestMappingInfo info, HandlerMethod handler) {
        Once once = OnceMethods.annotation(handler.getMethod(), handler.getBeanType());
        if (once == null) return List.of();
        List<Declared> all = new ArrayList<>();
        for (String pattern : info.getPatternValues())
            for (String method : methods(info))
                all.add(new Declared(
                        handler.getMethod(), handler.getBeanType(), once, RouteNames.of(method, prefix + pattern)));
        return all;
    }

    private static List<String> methods(RequestMappingInfo info) {
        List<String> methods = info.getMethodsCondition().getMethods().stream()
                .map(Enum::name)
                .sorted()
                .toList();
        return methods.isEmpty() ? List.of("*") : methods;
    }

    @Override
    public void checked(Method method, Class<?> target) {
        Once once = OnceMethods.annotation(method, target);
        if (once == null) return;
        List<Declared> served = routes().stream()
                .filter(it -> it.method.equals(method) && it.target.isAssignableFrom(target))
                .toList();
        if (served.isEmpty())
            throw new OnceMisuseException(
                    method, "it is mapped to requests, but its class is no controller that serves them.");
        if (served.stream().allMatch(it -> Guard.isSafe(it.route.substring(0, it.route.indexOf(' ')))))
            throw new OnceMisuseException(method, "it serves only safe methods such as GET, which pass without a key.");
        HandlerCheck.refuse(method, target, once);
        policy(method, once);
    }
}
