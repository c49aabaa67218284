package dev.semel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.semel.core.KeyReusedException;
import dev.semel.core.OutcomeUnknownException;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What operators see of an application, over HTTP. */
class ActuatorTest {
    static class Shop {
        @Once(key = "#id", operation = "charge", retention = "7d")
        public String charge(String id, int cents) {
            return "charged";
        }

        @Once(key = "#id", operation = "lose")
        public String lose(String id) {
            throw new IllegalStateException("no answer");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {
        @Bean
        Shop shop() {
            return new Shop();
        }
    }

    private static Database database;
    private static ConfigurableApplicationContext application;
    private static Http http;

    @BeforeAll
    static void start() throws Exception {
        database = Database.fresh();
        application = Applications.web(
                List.of(
                        "spring.datasource.url=" + database.url(),
                        "spring.datasource.hikari.connection-timeout=1000",
                        "management.endpoints.web.exposure.include=*",
                        "management.endpoint.health.show-details=always"),
                Beans.class);
        http = new Http(application);
    }

    @AfterAll
    static void stop() {
        http.close();
        application.close();
    }

    private static JsonNode json(HttpResponse<String> answer) throws Exception {
        return new ObjectMapper().readTree(answer.body());
    }

    private static JsonNode semel(String query) throws Exception {
        HttpResponse<String> answer = http.get("/actuator/semel" + query);
        assertEquals(200, answer.statusCode(), answer.body());
        return json(answer);
    }

    private static double count(String name, String... tags) {
        var counter =
                application.getBean(MeterRegistry.class).find(name).tags(tags).counter();
        return counter == null ? 0 : counter.count();
    }

    @Test
    void health_says_whether_the_store_answers() throws Exception {
        HttpResponse<String> up = http.get("/actuator/health");
        JsonNode component = json(up).at("/components/semel");
        assertEquals("UP", component.at("/status").asText(), up.body());
        assertEquals("PostgresKeyStore", component.at("/details/store").asText());
        assertFalse(up.body().contains("jdbc:"), up.body());

        Database gone = Database.fresh();
        try (ConfigurableApplicationContext other = Applications.web(
                        List.of(
                                "spring.datasource.url=" + gone.url(),
                                "spring.datasource.hikari.connection-timeout=300",
                                "management.endpoint.health.show-details=always"),
                        Beans.class);
                Http asking = new Http(other)) {
            assertEquals(
                    "UP",
                    json(asking.get("/actuator/health"))
                            .at("/components/semel/status")
                            .asText());
            gone.drop();
            HttpResponse<String> down = asking.get("/actuator/health");
            assertEquals(503, down.statusCode());
            assertEquals("DOWN", json(down).at("/components/semel/status").asText(), down.body());
        }
    }

    @Test
    void the_endpoint_tells_the_store_the_operations_and_what_happened() throws Exception {
        JsonNode before = semel("").at("/sinceStart");
        Shop shop = application.getBean(Shop.class);
        shop.charge("e-1", 5);
        shop.charge("e-1", 5);
        assertThrows(KeyReusedException.class, () -> shop.charge("e-1", 6));
        JsonNode told = semel("");
        assertEquals("PostgresKeyStore", told.at("/store").asText());
        assertEquals("process-death", told.at("/survives").asText(), "the server of the tests runs without fsync");
        assertTrue(told.at("/joinsTransactions").asBoolean());
        assertEquals(0, told.at("/inFlight").asInt(-1));
        for (String name : List.of("granted", "replayed", "refused"))
            assertEquals(
                    before.at("/" + name).asInt() + 1,
                    told.at("/sinceStart/" + name).asInt(),
                    name);
        JsonNode charge = told.at("/operations/0");
        assertEquals("charge", charge.at("/operation").asText());
        assertEquals("at-most-once", charge.at("/guarantee").asText());
        assertEquals("PT168H", charge.at("/retention").asText());
        assertFalse(told.toString().contains("jdbc:"), told.toString());
    }

    @Test
    void the_endpoint_tells_what_became_of_a_key_but_not_its_outcome() throws Exception {
        Shop shop = application.getBean(Shop.class);
        shop.charge("k-1", 5);
        assertThrows(IllegalStateException.class, () -> shop.lose("k-2"));
        JsonNode done = semel("?operation=charge&key=k-1");
        assertEquals("done", done.at("/state").asText(), done.toString());
        assertEquals(1, done.at("/attempt").asInt());
        assertFalse(done.toString().contains("charged"), done.toString());
        assertEquals("in-doubt", semel("?operation=lose&key=k-2").at("/state").asText());
        assertEquals("unknown", semel("?operation=lose&key=k-3").at("/state").asText());
        assertTrue(semel("?key=k-1").at("/error").asText().contains("operation"));
        String tooLong = URLEncoder.encode("x".repeat(3000), StandardCharsets.UTF_8);
        assertFalse(semel("?operation=charge&key=" + tooLong).at("/error").isMissingNode());
    }

    @Test
    void claims_are_counted_under_the_names_that_the_gateway_uses() throws Exception {
        Shop shop = application.getBean(Shop.class);
        double fresh = count("semel.requests", "route", "charge", "outcome", "fresh");
        double absorbed = count("semel.duplicates.absorbed", "route", "charge");
        double doubts = count("semel.doubts.begun");
        shop.charge("m-1", 5);
        shop.charge("m-1", 5);
        assertThrows(KeyReusedException.class, () -> shop.charge("m-1", 6));
        assertThrows(IllegalStateException.class, () -> shop.lose("m-2"));
        assertThrows(OutcomeUnknownException.class, () -> shop.lose("m-2"));
        assertEquals(fresh + 1, count("semel.requests", "route", "charge", "outcome", "fresh"));
        assertEquals(absorbed + 1, count("semel.duplicates.absorbed", "route", "charge"));
        assertEquals(doubts + 1, count("semel.doubts.begun"));
        assertTrue(count("semel.requests", "route", "charge", "outcome", "refused", "problem", "key-reused") >= 1);
        assertTrue(count("semel.requests", "route", "lose", "outcome", "refused", "problem", "outcome-unknown") >= 1);
        MeterRegistry registry = application.getBean(MeterRegistry.class);
        assertTrue(registry.get("semel.store").tags("call", "insert").timer().count() >= 2);
        assertEquals(0, registry.get("semel.in.flight").gauge().value());
        assertEquals(200, http.get("/actuator/metrics/semel.requests").statusCode());

        String documented = Files.readString(Path.of(System.getProperty("semel.root"), "docs/metrics.md"));
        Set<String> own = registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith("semel."))
                .map(ActuatorTest::asPrometheusHasIt)
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(own.size() >= 8, own.toString());
        for (String name : own) assertTrue(documented.contains("`" + name + "`"), name + " is in no list of meters");
    }

    private static String asPrometheusHasIt(Meter meter) {
        String name = meter.getId().getName().replace('.', '_');
        return switch (meter.getId().getType()) {
            case COUNTER -> name + "_total";
            case TIMER -> name + "_seconds";
            default -> name;
        };
    }
}
