package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.semel.admin.AdminAccess;
import dev.semel.gateway.config.AdminSettings;
import dev.semel.gateway.config.HostPort;
import dev.semel.http.Headers;
import dev.semel.testkit.http.RawRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is let in to the admin API, over real sockets. */
class AdminAccessTest {
    private static final RawRequest LIST = RawRequest.get("/admin/v1/keys");

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "localhost, -, 200",
                "localhost:8081, -, 200",
                "LOCALHOST:8081, -, 200",
                "semel.localhost, -, 200",
                "127.0.0.1:8081, -, 200",
                "127.1.2.3, -, 200",
                "[::1]:8081, -, 200",
                "localhost:8081, http://localhost:8081, 200",
                "evil.example, -, 403",
                "evil.example:8081, -, 403",
                "127.0.0.1.evil.example, -, 403",
                "localhost.evil.example:8081, -, 403",
                "evil-localhost, -, 403",
                "[::2], -, 403",
                "10.0.0.7:8081, -, 403",
                "localhost:8081, http://evil.example, 403",
                "localhost:8081, http://localhost:3000, 403",
                "localhost:8081, null, 403",
            })
    void without_a_token_only_this_machine_is_let_in_and_no_other_site(String host, String origin, int status)
            throws Exception {
        try (AdminScene scene = AdminScene.open()) {
            RawRequest request = LIST.header("Host", host);
            assertEquals(
                    status,
                    scene.admin(origin == null ? request : request.header("Origin", origin))
                            .status());
            assertEquals(200, scene.admin(request.to("/healthz")).status());
            assertEquals(200, scene.admin(request.to("/readyz")).status());
        }
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "Bearer open-sesame, 200",
                "bearer open-sesame, 200",
                "-, 401",
                "open-sesame, 401",
                "Bearer, 401",
                "Bearer open-sesam, 401",
                "Bearer open-sesame1, 401",
                "Bearer OPEN-SESAME, 401",
                "Basic open-sesame, 401",
            })
    void with_a_token_whoever_shows_it_is_let_in_from_anywhere(String authorization, int status) throws Exception {
        try (AdminScene scene = AdminScene.withToken("open-sesame")) {
            RawRequest request = LIST.header("Host", "semel.internal").header("Origin", "https://ops.example");
            RawRequest shown = authorization == null ? request : request.header("Authorization", authorization);
            var answer = scene.admin(shown);
            assertEquals(status, answer.status(), answer::toString);
            assertEquals(status == 401 ? "Bearer" : null, answer.headers().first("WWW-Authenticate"));
            assertFalse(answer.toString().contains("open-sesame"));
            assertEquals(200, scene.admin(RawRequest.get("/healthz")).status());
        }
    }

    @Test
    void every_path_and_method_of_the_api_asks_for_the_token() throws Exception {
        try (AdminScene scene = AdminScene.withToken("open-sesame")) {
            for (String path : new String[] {
                "/admin/", "/admin/v1/status", "/admin/v1/keys/k", "/admin/v1/keys/k/resolve", "/admin/x"
            })
                for (String method : new String[] {"GET", "POST", "PUT", "OPTIONS"})
                    assertEquals(
                            401,
                            scene.admin(RawRequest.get(path).withMethod(method)).status());
        }
    }

    @Test
    void two_hosts_are_no_proper_request() throws Exception {
        try (AdminScene scene = AdminScene.open()) {
            assertEquals(
                    400,
                    scene.admin(LIST.header("Host", "localhost").header("Host", "evil.example"))
                            .status());
        }
    }

    @Test
    void http_2_names_its_host_too() throws Exception {
        try (AdminScene scene = AdminScene.open();
                HttpClient client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_2)
                        .build()) {
            URI url = URI.create("http://127.0.0.1:" + scene.adminPort() + "/admin/v1/keys");
            HttpRequest request = HttpRequest.newBuilder(url).build();
            assertEquals(200, client.send(request, BodyHandlers.ofString()).statusCode());
        }
    }

    @Test
    void an_address_that_others_can_reach_is_closed_without_a_token_and_a_configuration_with_one_is_refused() {
        AdminSettings everywhere = AdminSettings.DEFAULT.withListen(new HostPort("0.0.0.0", 8081));
        assertNotNull(everywhere.flaw());
        assertNull(everywhere.withToken("t").flaw());
        assertNull(AdminSettings.DEFAULT.flaw());
        assertNull(AdminSettings.DEFAULT.withListen(new HostPort("::1", 8081)).flaw());
        assertFalse(everywhere.withToken("open-sesame").toString().contains("open-sesame"));
        AdminAccess access = new AdminAccess(null, everywhere.isLocal());
        assertEquals(
                403,
                Objects.requireNonNull(access.refusal(Headers.NONE, "localhost"))
                        .status());
    }
}
