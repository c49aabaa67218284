package dev.semel.spring;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers 401 or 403 to a guarded request that method security has denied before its handler was entered, so that the rules
 * for statuses decide what becomes of its key. What is denied later leaves a doubt like any other exception.
 */
final class DeniedBeforeEntry implements HandlerExceptionResolver {
    private static final String DENIED = "org.springframework.security.access.AccessDeniedException";
    private static final String UNKNOWN = "org.springframework.security.core.AuthenticationException";

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        if (!(handler instanceof HandlerMethod found) || request.getHeader("Semel-Attempt") == null) return null;
        boolean denied = TypeNames.isA(failure.getClass(), DENIED);
        if (!denied && !TypeNames.isA(failure.getClass(), UNKNOWN)) return null;
        if (!HandlerEntry.isStillAhead(found.getBean())) return null;
        try {
            response.sendError(
                    denied && request.getUserPrincipal() != null
                            ? HttpServletResponse.SC_FORBIDDEN
                            : HttpServletResponse.SC_UNAUTHORIZED);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ModelAndView();
    }
}
