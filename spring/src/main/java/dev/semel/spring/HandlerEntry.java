package dev.semel.spring;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * The innermost advice of a controller: notes in the request that its handler was entered. What ends a request before that,
 * such as {@code @PreAuthorize}, has let nothing run.
 */
final class HandlerEntry implements MethodInterceptor {
    private static final String ENTERED = HandlerEntry.class.getName();

    static void watch(Advised controller) {
        if (!controller.isFrozen() && !isWatched(controller))
            controller.addAdvisor(new DefaultPointcutAdvisor(new HandlerEntry()));
    }

    /** Whether it is known of this controller, and for the current request, that no method of it was entered. */
    static boolean isStillAhead(Object controller) {
        RequestAttributes request = RequestContextHolder.getRequestAttributes();
        return request != null
                && controller instanceof Advised advised
                && isWatched(advised)
                && request.getAttribute(ENTERED, RequestAttributes.SCOPE_REQUEST) == null;
    }

    private static boolean isWatched(Advised controller) {
        for (Advisor each : controller.getAdvisors()) if (each.getAdvice() instanceof HandlerEntry) return true;
        return false;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        RequestAttributes request = RequestContextHolder.getRequestAttributes();
        if (request != null) request.setAttribute(ENTERED, true, RequestAttributes.SCOPE_REQUEST);
        return invocation.proceed();
    }
}
