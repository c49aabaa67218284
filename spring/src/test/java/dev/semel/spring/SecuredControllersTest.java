package dev.semel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyState;
import jakarta.servlet.http.HttpServletRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** An application that denies all that it does not know, its own error page too, and has its controllers below a path. */
@Timeout(60)
class SecuredControllersTest {
    record Order(int cents) {}

    static final AtomicInteger RUNS = new AtomicInteger();

    @RestController
    @RequestMapping("/v1")
    static class Orders {
        @PostMapping("/fail/{status}")
        @Once
        public String fail(@PathVariable("status") int status) {
            RUNS.incrementAndGet();
            throw new ResponseStatusException(HttpStatus.valueOf(status), "so it ended");
        }

        @PostMapping("/orders")
        @Once
        public String order(@RequestBody Order order) {
            return "order " + RUNS.incrementAndGet() + " of " + order.cents();
        }

        @PostMapping("/before")
        @Once
        @PreAuthorize("hasRole('ADMIN')")
        public String before() {
            return "run " + RUNS.incrementAndGet();
        }

        @PostMapping("/after")
        @Once
        @PostAuthorize("hasRole('ADMIN')")
        public String after() {
            return "run " + RUNS.incrementAndGet();
        }

        @PostMapping("/inside")
        @Once
        public String inside() {
            RUNS.incrementAndGet();
            throw new AccessDeniedException("only now");
        }

        @PostMapping("/pay/{id}")
        @Once
        public String pay(@PathVariable("id") String id, @RequestParam("amount") int amount) {
            RUNS.incrementAndGet();
            return id + " paid " + amount;
        }

        @PutMapping("/pay/{id}")
        @Once
        public String change(@PathVariable("id") String id, @RequestParam("amount") int amount) {
            RUNS.incrementAndGet();
            return id + " pays " + amount;
        }

        @PostMapping(path = "/pay/{id}", params = "confirm")
        public String confirm(@PathVariable("id") String id) {
            return id + " confirmed";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    @Import(Orders.class)
    static class Beans {
        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.csrf(AbstractHttpConfigurer::disable)
                    .httpBasic(Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.requestMatchers(Beans::isKnown)
                            .authenticated()
                            .anyRequest()
                            .denyAll())
                    .build();
        }

        private static boolean isKnown(HttpServletRequest request) {
            return request.getRequestURI().startsWith("/api/v1/");
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("ann").password("{noop}a").build(),
                    User.withUsername("root").password("{noop}r").roles("ADMIN").build());
        }
    }

    private static ConfigurableApplicationContext application;
    private static Http http;

    @BeforeAll
    static void start() {
        application = Applications.start(
                WebApplicationType.SERVLET,
                List.of(
                        "semel.store=memory:",
                        "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/no",
                        "spring.mvc.servlet.path=/api"),
                Beans.class);
        http = new Http(application);
    }

    @AfterAll
    static void stop() {
        http.close();
        application.close();
    }

    private static String[] as(String user, String key) {
        String login =
                Base64.getEncoder().encodeToString((user + ":" + user.charAt(0)).getBytes(StandardCharsets.US_ASCII));
        return new String[] {"Idempotency-Key", key, "Authorization", "Basic " + login};
    }

    private static HttpResponse<String> post(String path, String body, String user, String key) throws Exception {
        return http.post("/api/v1" + path, body, as(user, key));
    }

    private static boolean isFree(String operation, String key) {
        return application
                        .getBean(Semel.class)
                        .find(KeyId.of("", operation, key))
                        .record()
                        .state()
                instanceof KeyState.Free;
    }

    @Test
    void an_error_page_that_nobody_may_see_does_not_change_what_the_error_says() throws Exception {
        for (int status : List.of(500, 409)) {
            int before = RUNS.get();
            for (int i = 0; i < 2; i++)
                assertEquals(
                        status,
                        post("/fail/" + status, "{}", "ann", "f-" + status).statusCode());
            assertEquals(before + 1, RUNS.get());
        }
        int before = RUNS.get();
        assertEquals(502, post("/fail/502", "{}", "ann", "f-502").statusCode());
        HttpResponse<String> again = post("/fail/502", "{}", "ann", "f-502");
        assertEquals(409, again.statusCode());
        assertTrue(again.body().contains("outcome-unknown"), again.body());
        assertEquals(before + 1, RUNS.get());
    }

    @Test
    void what_method_security_denies_before_the_handler_frees_the_key() throws Exception {
        int before = RUNS.get();
        for (int i = 0; i < 2; i++)
            assertEquals(403, post("/before", "{}", "ann", "d-1").statusCode());
        assertTrue(isFree("POST /api/v1/before", "d-1"));
        assertEquals(before, RUNS.get());
        HttpResponse<String> first = post("/before", "{}", "root", "d-1");
        assertEquals("run " + (before + 1), first.body());
        assertEquals(first.body(), post("/before", "{}", "root", "d-1").body());
    }

    @Test
    void what_is_denied_when_the_handler_has_run_never_runs_again() throws Exception {
        for (String path : List.of("/after", "/inside")) {
            int before = RUNS.get();
            assertEquals(502, post(path, "{}", "ann", "d" + path.substring(1)).statusCode());
            assertEquals(409, post(path, "{}", "ann", "d" + path.substring(1)).statusCode());
            assertEquals(before + 1, RUNS.get());
        }
    }

    @Test
    void a_form_is_the_same_request_only_with_the_same_parameters() throws Exception {
        for (String method : List.of("POST", "PUT"))
            for (boolean inChunks : List.of(false, true)) {
                String key = method + "-" + inChunks;
                int before = RUNS.get();
                HttpResponse<String> five = form(method, "amount=5", inChunks, key);
                assertEquals(200, five.statusCode(), five.body());
                assertTrue(five.body().endsWith(" 5"), five.body());
                assertEquals(
                        five.body(), form(method, "amount=5", inChunks, key).body());
                HttpResponse<String> more = form(method, "amount=900", inChunks, key);
                assertEquals(422, more.statusCode(), more.body());
                assertEquals(before + 1, RUNS.get());
            }
        assertEquals("o-1 confirmed", form("POST", "confirm=1", false, "c-1").body());
    }

    private static HttpResponse<String> form(String method, String form, boolean inChunks, String key)
            throws Exception {
        String type = "application/x-www-form-urlencoded";
        return inChunks
                ? http.sendInChunks(method, "/api/v1/pay/o-1", type, form, as("ann", key))
                : http.send(method, "/api/v1/pay/o-1", type, form, as("ann", key));
    }
}
