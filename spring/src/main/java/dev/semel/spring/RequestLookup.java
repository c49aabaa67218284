package dev.semel.spring;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/** Finds the handler method that will serve a request, as the dispatcher servlet will find it. For use by any thread. */
final class RequestLookup {
    private final SingletonSupplier<List<HandlerMapping>> mappings;

    RequestLookup(ApplicationContext context) {
        this.mappings = SingletonSupplier.of(() -> ordered(context));
    }

    private static List<HandlerMapping> ordered(ApplicationContext context) {
        return BeanFactoryUtils.beansOfTypeIncludingAncestors(context, HandlerMapping.class, true, false)
                .values()
                .stream()
                .sorted(AnnotationAwareOrderComparator.INSTANCE)
                .toList();
    }

    List<HandlerMapping> mappings() {
        return Objects.requireNonNull(mappings.get());
    }

    /** @param pattern the one of its patterns that fits the request */
    record Found(HandlerMethod handler, String pattern) {}

    /** Null when no controller serves the request, or none that takes its method or content: the dispatcher answers that. */
    @Nullable
    Found find(HttpServletRequest request) {
        RequestHeadOnly asked = new RequestHeadOnly(request);
        ServletRequestPathUtils.parseAndCache(asked);
        for (HandlerMapping each : mappings()) {
            HandlerExecutionChain chain;
            try {
                chain = each.getHandler(asked);
            } catch (Exception e) {
                return null;
            }
            if (chain == null) continue;
            Object pattern = asked.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
            return chain.getHandler() instanceof HandlerMethod handler && pattern != null
                    ? new Found(handler, pattern.toString())
                    : null;
        }
        return null;
    }
}
