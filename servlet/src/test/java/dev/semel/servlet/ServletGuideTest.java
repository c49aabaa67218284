package dev.semel.servlet;

import static dev.semel.servlet.ServletRoutes.route;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.http.FailureRules;
import dev.semel.http.KeyMode;
import dev.semel.http.RoutePolicy;
import dev.semel.testkit.http.RawHttp;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/servlet.md, in a server of its own. */
class ServletGuideTest {

    /** Charges a card, which is to happen once. */
    static final class ChargeServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;
        private int charges;

        @Override
        protected synchronized void doPost(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            long token = Long.parseLong(request.getHeader("Semel-Fencing-Token"));
            int attempt = request.getIntHeader("Semel-Attempt");

            charges++;
            response.setStatus(201);
            response.getWriter().print("charge " + charges + (token > 0 ? ", attempt " + attempt : ""));
        }
    }

    private static SemelFilter filter(Semel semel) {
        RoutePolicy charges = RoutePolicy.DEFAULT
                .withKey(KeyMode.REQUIRED)
                .withClaims(RoutePolicy.DEFAULT.claims().withRetention(Duration.ofDays(7)));

        ServletRoutes routes = ServletRoutes.of(
                route("POST /v1/charges", charges),
                route("POST /**", RoutePolicy.DEFAULT),
                route("PATCH /**", RoutePolicy.DEFAULT));

        SemelFilter filter = new SemelFilter(semel, routes);
        return filter;
    }

    private static void register(ServletContext context, SemelFilter filter) {
        FilterRegistration.Dynamic semelFilter = context.addFilter("semel", filter);
        semelFilter.setAsyncSupported(true);
        semelFilter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
    }

    private static SemelFilter withTenants(SemelFilter filter) {
        return filter.withTenants(ServletTenants.principal());
    }

    private static SemelFilter withFailures(SemelFilter filter) {
        return filter.withFailures(FailureRules.ALL_IN_DOUBT.notRun(ConnectException.class));
    }

    private static SemelFilter withErrorPage(SemelFilter filter) {
        return filter.withErrorPage("/error");
    }

    @Test
    void the_guide_does_what_it_says(@TempDir Path folder) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        try (KeyStore store = new InMemoryKeyStore();
                Semel semel = Semel.on(store).start()) {
            Context context = tomcat.addContext("", folder.toString());
            SemelFilter filter = withErrorPage(withFailures(filter(semel)));
            context.addServletContainerInitializer((classes, started) -> register(started, filter), null);
            Tomcat.addServlet(context, "charges", new ChargeServlet());
            context.addServletMappingDecoded("/v1/charges", "charges");
            tomcat.start();
            InetSocketAddress address = new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), tomcat.getConnector().getLocalPort());
            RawRequest charge = RawRequest.charge("/v1/charges").header("Host", "localhost");
            assertEquals("charge 1, attempt 1", send(address, charge.key("a")).text());
            assertEquals("charge 1, attempt 1", send(address, charge.key("a")).text());
            assertEquals("charge 2, attempt 1", send(address, charge.key("b")).text());
            assertEquals(400, send(address, charge.noKey()).status());
            assertTrue(send(address, charge.key("a").json("{}")).text().contains("key-reused"));
            assertEquals(401, unknown(semel));
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    private static int unknown(Semel semel) throws Exception {
        try (TestServer server = JettyServer.start("", withTenants(filter(semel)), new ChargeServlet())) {
            RawRequest charge = RawRequest.charge("/v1/charges").header("Host", "localhost");
            return send(server.address(), charge.key("a")).status();
        }
    }

    private static Received.Response send(InetSocketAddress address, RawRequest request) throws IOException {
        return assertInstanceOf(Received.Response.class, RawHttp.exchange(address, request, Duration.ofSeconds(30)));
    }
}
