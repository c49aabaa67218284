package dev.semel.spring;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;

/** Starts real applications, with what Spring Boot configures by itself. */
final class Applications {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Automatic {}

    /** Lets everybody in: Spring Security is there for the tests of tenants. */
    @Configuration(proxyBeanMethods = false)
    static class Open {
        @Bean
        SecurityFilterChain open(HttpSecurity http) throws Exception {
            return http.csrf(AbstractHttpConfigurer::disable)
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }

    private Applications() {}

    /** Without a database or a web server. */
    static ConfigurableApplicationContext inMemory(Class<?>... beans) {
        return start(
                WebApplicationType.NONE,
                List.of("semel.store=memory:", "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/no"),
                beans);
    }

    static ConfigurableApplicationContext onDatabase(String url, Class<?>... beans) {
        return start(WebApplicationType.NONE, List.of("spring.datasource.url=" + url), beans);
    }

    /** With a web server, for everybody. */
    static ConfigurableApplicationContext web(List<String> properties, Class<?>... beans) {
        List<Class<?>> all = new ArrayList<>(List.of(beans));
        all.add(Open.class);
        return start(WebApplicationType.SERVLET, properties, all.toArray(Class[]::new));
    }

    static ConfigurableApplicationContext webInMemory(Class<?>... beans) {
        return web(List.of("semel.store=memory:", "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/no"), beans);
    }

    static ConfigurableApplicationContext start(WebApplicationType type, List<String> properties, Class<?>... beans) {
        List<Class<?>> sources = new ArrayList<>(List.of(beans));
        sources.add(Automatic.class);
        List<String> all = new ArrayList<>(List.of(
                "semel.accept-lost-keys=true",
                "server.port=0",
                "server.address=127.0.0.1",
                "spring.main.banner-mode=off",
                "spring.jmx.enabled=false",
                "spring.datasource.hikari.maximum-pool-size=8",
                "spring.application.name=" + beans[0].getSimpleName()));
        all.addAll(properties);
        return new SpringApplicationBuilder(sources.toArray(Class[]::new))
                .web(type)
                .logStartupInfo(false)
                .registerShutdownHook(false)
                .properties(all.toArray(String[]::new))
                .run();
    }
}
