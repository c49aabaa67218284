package dev.semel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.key.KeyId;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ResponseStatusException;

@Timeout(60)
class ControllersTest {
    record Charge(int number, String customer) {}

    record ChargeRequest(String customer, int cents) {}

    static class Declined extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    static class Overdrawn extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    static final AtomicInteger RUNS = new AtomicInteger();
    static final CountDownLatch ENTERED = new CountDownLatch(1);
    static final CountDownLatch GO_ON = new CountDownLatch(1);

    @RestController
    @RequestMapping("/v1")
    static class Charges {
        @PostMapping("/charges")
        @Once
        Charge create(@RequestBody ChargeRequest request) {
            return new Charge(RUNS.incrementAndGet(), request.customer());
        }

        @PostMapping("/optional")
        @Once(required = false, retention = "7d")
        ResponseEntity<Charge> optional(@RequestBody ChargeRequest request, HttpServletRequest asked) {
            return ResponseEntity.status(201)
                    .header("Location", "/v1/charges/" + RUNS.get())
                    .body(new Charge(RUNS.incrementAndGet(), request.customer()));
        }

        @PutMapping("/accounts/{id:[0-9]+}")
        @Once
        String account(@PathVariable("id") String id, @RequestHeader("Semel-Attempt") int attempt) {
            return id + " by attempt " + attempt + ", run " + RUNS.incrementAndGet();
        }

        @PostMapping("/decline/{how}")
        @Once
        String decline(@PathVariable("how") String how) {
            RUNS.incrementAndGet();
            throw switch (how) {
                case "own" -> new Declined();
                case "advice" -> new Overdrawn();
                case "status" -> new ResponseStatusException(HttpStatus.CONFLICT, "taken");
                case "later" -> new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "later");
                default -> new IllegalStateException("no answer, and a secret");
            };
        }

        @ExceptionHandler(Declined.class)
        ResponseEntity<String> declined() {
            return ResponseEntity.status(402).body("declined, run " + RUNS.get());
        }

        @PostMapping("/slow")
        @Once
        String slow() throws InterruptedException {
            ENTERED.countDown();
            GO_ON.await();
            return "slow " + RUNS.incrementAndGet();
        }

        @PostMapping("/plain")
        String plain() {
            return "plain " + RUNS.incrementAndGet();
        }

        @GetMapping("/charges")
        String list() {
            return "all " + RUNS.incrementAndGet();
        }
    }

    @RestControllerAdvice
    static class Advice {
        @ExceptionHandler(Overdrawn.class)
        ResponseEntity<String> overdrawn() {
            return ResponseEntity.status(422).body("overdrawn, run " + RUNS.get());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Charges.class, Advice.class})
    static class Beans {}

    private static final String ASKED = "{\"customer\": \"c-1\", \"cents\": 5}";

    private static ConfigurableApplicationContext application;
    private static Http http;

    @BeforeAll
    static void start() {
        application = Applications.webInMemory(Beans.class);
        http = new Http(application);
    }

    @AfterAll
    static void stop() {
        http.close();
        application.close();
    }

    private static HttpResponse<String> post(String path, String key) throws Exception {
        return http.post(path, ASKED, "Idempotency-Key", key);
    }

    private static String header(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse("absent");
    }

    /** The answer of a second request with the same key, which ran nothing. */
    private static HttpResponse<String> replayed(String path, HttpResponse<String> first, String key) throws Exception {
        int before = RUNS.get();
        HttpResponse<String> again = post(path, key);
        assertEquals(first.statusCode(), again.statusCode(), again.body());
        assertEquals(first.body(), again.body());
        assertEquals("true", header(again, "Idempotent-Replayed"));
        assertEquals(before, RUNS.get());
        return again;
    }

    @Test
    void a_handler_runs_once_per_key_and_its_response_is_replayed() throws Exception {
        HttpResponse<String> first = post("/v1/charges", "a-1");
        assertEquals(200, first.statusCode(), first.body());
        assertEquals("absent", header(first, "Idempotent-Replayed"));
        assertFalse(header(first, "Idempotency-Expires").equals("absent"));
        HttpResponse<String> again = replayed("/v1/charges", first, "\"a-1\"");
        assertEquals(header(first, "Content-Type"), header(again, "Content-Type"));
        HttpResponse<String> other = http.post("/v1/charges", "{\"customer\": \"c-2\"}", "Idempotency-Key", "a-1");
        assertEquals(422, other.statusCode());
        assertTrue(other.body().contains("urn:semel:problem:key-reused"), other.body());
        assertTrue(application.getBean(Semel.class).find(KeyId.of("", "POST /v1/charges", "a-1")) != null);
    }

    @Test
    void a_request_without_a_key_is_refused_unless_the_key_is_optional() throws Exception {
        HttpResponse<String> refused = http.post("/v1/charges", ASKED);
        assertEquals(400, refused.statusCode());
        assertTrue(refused.body().contains("urn:semel:problem:key-missing"), refused.body());
        assertEquals(400, post("/v1/charges", "x".repeat(300)).statusCode());
        String first = http.post("/v1/optional", ASKED).body();
        assertFalse(first.equals(http.post("/v1/optional", ASKED).body()));
        HttpResponse<String> keyed = post("/v1/optional", "b-1");
        assertEquals(201, keyed.statusCode());
        assertEquals(header(keyed, "Location"), header(replayed("/v1/optional", keyed, "b-1"), "Location"));
    }

    @Test
    void a_route_with_names_in_its_path_is_one_operation() throws Exception {
        HttpResponse<String> first = http.put("/v1/accounts/7", ASKED, "Idempotency-Key", "r-1");
        assertTrue(first.body().startsWith("7 by attempt 1"), first.body());
        assertEquals(
                first.body(),
                http.put("/v1/accounts/7", ASKED, "Idempotency-Key", "r-1").body());
        assertEquals(
                422, http.put("/v1/accounts/8", ASKED, "Idempotency-Key", "r-1").statusCode());
    }

    @Test
    void exceptions_that_the_application_answers_are_ordinary_responses() throws Exception {
        HttpResponse<String> own = post("/v1/decline/own", "d-1");
        assertEquals(402, own.statusCode(), own.body());
        replayed("/v1/decline/own", own, "d-1");
        HttpResponse<String> advice = post("/v1/decline/advice", "d-2");
        assertTrue(advice.body().startsWith("overdrawn"), advice.body());
        replayed("/v1/decline/advice", advice, "d-2");
        HttpResponse<String> status = post("/v1/decline/status", "d-3");
        assertEquals(409, status.statusCode(), status.headers() + status.body());
        assertTrue(status.body().contains("\"status\":409"), "the error page: " + status.body());
        replayed("/v1/decline/status", status, "d-3");
    }

    @Test
    void a_response_that_says_that_nothing_ran_frees_the_key() throws Exception {
        assertEquals(503, post("/v1/decline/later", "d-4").statusCode());
        int before = RUNS.get();
        assertEquals(503, post("/v1/decline/later", "d-4").statusCode());
        assertEquals(before + 1, RUNS.get());
    }

    @Test
    void an_exception_that_leaves_the_controller_leaves_a_doubt() throws Exception {
        HttpResponse<String> first = post("/v1/decline/lost", "d-5");
        assertEquals(502, first.statusCode());
        assertTrue(first.body().contains("urn:semel:problem:outcome-unknown"), first.body());
        assertFalse(first.body().contains("secret"), first.body());
        int before = RUNS.get();
        HttpResponse<String> again = post("/v1/decline/lost", "d-5");
        assertEquals(409, again.statusCode());
        assertEquals(before, RUNS.get());
    }

    @Test
    void a_duplicate_waits_for_the_request_in_flight() throws Exception {
        CompletableFuture<HttpResponse<String>> first = http.postLater("/v1/slow", ASKED, "Idempotency-Key", "s-1");
        ENTERED.await();
        CompletableFuture<HttpResponse<String>> second = http.postLater("/v1/slow", ASKED, "Idempotency-Key", "s-1");
        Semel semel = application.getBean(Semel.class);
        while (semel.waitingHere() == 0) Thread.onSpinWait();
        GO_ON.countDown();
        assertEquals(first.get().body(), second.get().body());
        assertEquals("true", header(second.get(), "Idempotent-Replayed"));
    }

    @Test
    void what_has_no_once_passes_untouched() throws Exception {
        assertFalse(
                post("/v1/plain", "p-1").body().equals(post("/v1/plain", "p-1").body()));
        assertFalse(http.get("/v1/charges", "Idempotency-Key", "p-1")
                .body()
                .equals(http.get("/v1/charges", "Idempotency-Key", "p-1").body()));
        assertEquals(404, post("/nowhere", "p-1").statusCode());
        assertEquals(
                415,
                http.send("POST", "/v1/charges", "text/plain", "x", "Idempotency-Key", "p-2")
                        .statusCode());
    }

    @Test
    void the_policy_of_the_routes_is_published() throws Exception {
        HttpResponse<String> policy = http.get("/.well-known/idempotency");
        assertEquals(200, policy.statusCode());
        for (String route : List.of("POST /v1/charges", "POST /v1/optional", "PUT /v1/accounts/{id}"))
            assertTrue(policy.body().contains(route), policy.body());
    }

    @Test
    void requests_are_counted_once_by_their_route() throws Exception {
        MeterRegistry registry = application.getBean(MeterRegistry.class);
        String route = "PUT /v1/accounts/{id:[0-9]+}";
        double before = sum(registry, route);
        http.put("/v1/accounts/9", ASKED, "Idempotency-Key", "m-1");
        http.put("/v1/accounts/9", ASKED, "Idempotency-Key", "m-1");
        http.put("/v1/accounts/9", ASKED);
        assertEquals(before + 3, sum(registry, route));
        assertTrue(registry.get("semel.requests")
                        .tags("route", route, "problem", "key-missing")
                        .counter()
                        .count()
                >= 1);
        assertTrue(registry.get("semel.request")
                        .tags("route", route, "outcome", "replayed")
                        .timer()
                        .count()
                >= 1);
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Charges.class)
    static class Renaming {
        @Bean
        FilterRegistrationBean<Filter> renaming() {
            FilterRegistrationBean<Filter> late = new FilterRegistrationBean<>(
                    (request, response, chain) -> chain.doFilter(new Renamed((HttpServletRequest) request), response));
            late.setOrder(100);
            return late;
        }
    }

    /** What is asked of /other is asked of /v1/charges. */
    private static final class Renamed extends HttpServletRequestWrapper {
        Renamed(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getRequestURI() {
            return super.getRequestURI().replace("/other", "/v1/charges");
        }

        @Override
        public String getServletPath() {
            return super.getServletPath().replace("/other", "/v1/charges");
        }
    }

    @Test
    void a_request_that_another_filter_leads_past_the_guard_runs_nothing() throws Exception {
        try (ConfigurableApplicationContext renaming = Applications.webInMemory(Renaming.class);
                Http asking = new Http(renaming)) {
            assertEquals(
                    200,
                    asking.post("/v1/charges", ASKED, "Idempotency-Key", "x-1").statusCode());
            int before = RUNS.get();
            assertEquals(
                    500, asking.post("/other", ASKED, "Idempotency-Key", "x-1").statusCode());
            assertEquals(before, RUNS.get());
        }
    }

    @Test
    void the_paths_of_the_application_and_of_its_dispatcher_are_a_part_of_the_route() throws Exception {
        try (ConfigurableApplicationContext shop = Applications.web(
                        List.of(
                                "semel.store=memory:",
                                "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/no",
                                "server.servlet.context-path=/shop",
                                "spring.mvc.servlet.path=/mvc",
                                "server.servlet.register-default-servlet=true"),
                        Beans.class);
                Http asking = new Http(shop)) {
            String first = asking.post("/shop/mvc/v1/charges", ASKED, "Idempotency-Key", "x-1")
                    .body();
            assertEquals(
                    first,
                    asking.post("/shop/mvc/v1/charges", ASKED, "Idempotency-Key", "x-1")
                            .body());
            assertTrue(shop.getBean(Semel.class).find(KeyId.of("", "POST /shop/mvc/v1/charges", "x-1")) != null);
            assertTrue(asking.get("/shop/.well-known/idempotency").body().contains("POST /shop/mvc/v1/charges"));
            HttpResponse<String> taken = asking.post("/shop/mvc/v1/decline/status", ASKED, "Idempotency-Key", "x-2");
            assertEquals(409, taken.statusCode());
            assertTrue(taken.body().contains("\"status\":409"), "the error page: " + taken.body());
            HttpResponse<String> unreadable = asking.post("/shop/mvc/v1/charges", "{", "Idempotency-Key", "x-3");
            assertEquals(400, unreadable.statusCode(), unreadable.body());
        }
    }

    private static double sum(MeterRegistry registry, String route) {
        return registry.find("semel.requests").tags("route", route).counters().stream()
                .mapToDouble(each -> each.count())
                .sum();
    }
}
