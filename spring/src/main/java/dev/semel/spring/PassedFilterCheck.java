package dev.semel.spring;

import dev.semel.http.Guard;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Lets nothing reach a handler method with {@link Once} that the filter has not taken for a request to it: a filter in
 * between may have changed the path or the method.
 */
final class PassedFilterCheck implements HandlerInterceptor {
    private static final String SEEN = PassedFilterCheck.class.getName();

    /** The filter has found that this handler serves the request. */
    static void note(HttpServletRequest request, Method handler) {
        request.setAttribute(SEEN, handler);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (!(handler instanceof HandlerMethod found) || Guard.isSafe(request.getMethod())) return true;
        Method method = found.getMethod();
        if (OnceMethods.annotation(method, found.getBeanType()) == null || method.equals(request.getAttribute(SEEN)))
            return true;
        throw new OnceMisuseException(
                method,
                "a request came to it that Semel's filter did not take for one of it, so nothing ran. A filter that"
                        + " changes the path or the method must come first: see semel.http.filter-order.");
    }
}
