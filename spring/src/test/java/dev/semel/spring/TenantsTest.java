package dev.semel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** With Spring Security: whoever it has let in is the tenant. */
class TenantsTest {
    static final AtomicInteger RUNS = new AtomicInteger();

    @RestController
    static class Orders {
        @PostMapping({"/orders", "/open/orders"})
        @Once
        String place() {
            return "order " + RUNS.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Orders.class)
    static class Beans {
        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.csrf(AbstractHttpConfigurer::disable)
                    .httpBasic(Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.requestMatchers("/open/**")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("ann").password("{noop}a").build(),
                    User.withUsername("bob").password("{noop}b").build());
        }
    }

    private static String basic(String user, String password) {
        byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(both);
    }

    @Test
    void keys_of_users_never_meet_and_strangers_get_no_further_than_security() throws Exception {
        try (ConfigurableApplicationContext application = Applications.start(
                        WebApplicationType.SERVLET,
                        List.of(
                                "semel.store=memory:",
                                "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/no",
                                "semel.tenant=principal"),
                        Beans.class);
                Http http = new Http(application)) {
            String ann = order(http, "/orders", basic("ann", "a")).body();
            assertEquals(ann, order(http, "/orders", basic("ann", "a")).body());
            String bob = order(http, "/orders", basic("bob", "b")).body();
            assertFalse(ann.equals(bob));
            int before = RUNS.get();
            HttpResponse<String> stranger = order(http, "/orders", basic("ann", "wrong"));
            assertEquals(401, stranger.statusCode());
            assertFalse(stranger.body().contains("order"), "a replay for a stranger");
            HttpResponse<String> nobody = http.post("/open/orders", "{}", "Idempotency-Key", "k-1");
            assertEquals(401, nobody.statusCode());
            assertTrue(nobody.body().contains("urn:semel:problem:tenant-unknown"), nobody.body());
            assertEquals(before, RUNS.get());
        }
    }

    private static HttpResponse<String> order(Http http, String path, String authorization) throws Exception {
        return http.post(path, "{}", "Idempotency-Key", "k-1", "Authorization", authorization);
    }
}
