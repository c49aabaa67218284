package dev.semel.spring;

import dev.semel.core.Semel;
import dev.semel.http.FailureRules;
import dev.semel.servlet.SemelFilter;
import dev.semel.servlet.ServletListener;
import dev.semel.servlet.ServletTenants;
import jakarta.servlet.Filter;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;

/** {@link Once} on handler methods of controllers: a servlet filter in front of the dispatcher servlet. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(name = "org.springframework.web.servlet.DispatcherServlet")
public class SemelServletAutoConfiguration {
    private static final List<String> ERROR_CONTROLLERS = List.of(
            "org.springframework.boot.web.servlet.error.ErrorController",
            "org.springframework.boot.webmvc.error.ErrorController");

    @Bean
    ControllerRoutes semelControllerRoutes(ApplicationContext context, SemelProperties settings) {
        String prefix =
                context.getEnvironment().getProperty("server.servlet.context-path", "") + dispatcherPath(context);
        return new ControllerRoutes(new RequestLookup(context), settings, prefix.replaceAll("/+$", ""));
    }

    /** What stands before the paths of controllers within the application; empty for nothing. */
    private static String dispatcherPath(ApplicationContext context) {
        return context.getEnvironment()
                .getProperty("spring.mvc.servlet.path", "")
                .replaceAll("/*[*]?$", "");
    }

    @Bean
    @ConditionalOnMissingBean
    ServletTenants semelServletTenants(SemelProperties settings) {
        return switch (settings.tenant()) {
            case SINGLE -> ServletTenants.single();
            case PRINCIPAL -> ServletTenants.principal();
        };
    }

    @Bean
    WebMvcConfigurer semelMvcConfigurer() {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(new PassedFilterCheck()).order(Ordered.HIGHEST_PRECEDENCE);
            }

            @Override
            public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
                // After those of the application, and before the one of Spring Security 7, which throws it again.
                int place = resolvers.size();
                for (int i = 0; i < resolvers.size(); i++)
                    if (resolvers.get(i) instanceof ExceptionHandlerExceptionResolver) place = i + 1;
                resolvers.add(place, new DeniedBeforeEntry());
            }
        };
    }

    /** Filters are made before controllers are known, so this one is made with the first request. */
    @Bean
    FilterRegistrationBean<Filter> semelFilter(
            ControllerRoutes routes,
            ServletTenants tenants,
            SemelProperties settings,
            ApplicationContext context,
            ObjectProvider<Semel> semel,
            ObjectProvider<FailureRules> failures,
            ObjectProvider<ServletListener> listeners) {
        SingletonSupplier<SemelFilter> made = SingletonSupplier.of(() -> {
            List<ServletListener> all = listeners.orderedStream().toList();
            SemelFilter filter = new SemelFilter(semel.getObject(), routes)
                    .withTenants(tenants)
                    .withFailures(failures.getIfAvailable(() -> FailureRules.ALL_IN_DOUBT))
                    .withListener(ended -> all.forEach(each -> each.on(ended)));
            String page = errorPage(context);
            return page == null ? filter : filter.withErrorPage(page);
        });
        Filter first =
                (request, response, chain) -> Objects.requireNonNull(made.get()).doFilter(request, response, chain);
        FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(first);
        registration.setName("semelFilter");
        registration.setOrder(settings.http().filterOrder());
        return registration;
    }

    /** Where the application's error page is served; null when it has none. */
    private static @Nullable String errorPage(ApplicationContext context) {
        boolean served = ERROR_CONTROLLERS.stream()
                .filter(name -> ClassUtils.isPresent(name, context.getClassLoader()))
                .map(name -> ClassUtils.resolveClassName(name, context.getClassLoader()))
                .anyMatch(type -> context.getBeanNamesForType(type).length > 0);
        if (!served) return null;
        Environment environment = context.getEnvironment();
        String path = "/error";
        for (String name : List.of("error.path", "server.error.path", "spring.web.error.path"))
            path = environment.getProperty(name, path);
        return dispatcherPath(context) + (path.startsWith("/") ? path : "/" + path);
    }
}
