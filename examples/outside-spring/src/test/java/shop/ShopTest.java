package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.postgres.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class ShopTest {
    @TempDir
    static Path folder;

    private static PostgresServer server;

    @LocalServerPort
    private int port;

    @Autowired
    private JdbcTemplate database;

    @Autowired
    private Shop.Accounts accounts;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        server = PostgresServer.startFromClassPath(folder);
        properties.add("spring.datasource.url", server::jdbcUrl);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void an_order_is_charged_once_however_it_is_repeated() throws Exception {
        database.execute("create table charge (number serial, order_id text, cents bigint)");
        String first = place("key-1").body();
        HttpResponse<String> again = place("key-1");
        assertEquals(first, again.body());
        assertEquals("true", again.headers().firstValue("Idempotent-Replayed").orElse("missing"));
        // Another key for the same order: the controller runs, and the charge is given as it was.
        assertEquals(first, place("key-2").body());
        assertEquals(new Shop.Receipt(1), accounts.charge(new Shop.Order("o-1", 1000)));
        assertEquals(1, database.queryForObject("select count(*) from charge", Integer.class));
        HttpResponse<String> other = send("key-1", "{\"id\": \"o-2\", \"cents\": 1}");
        assertEquals(422, other.statusCode());
        assertTrue(other.body().contains("key-reused"), other.body());
    }

    private HttpResponse<String> place(String key) throws Exception {
        HttpResponse<String> answer = send(key, "{\"id\": \"o-1\", \"cents\": 1000}");
        assertEquals(200, answer.statusCode(), answer.body());
        return answer;
    }

    private HttpResponse<String> send(String key, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
