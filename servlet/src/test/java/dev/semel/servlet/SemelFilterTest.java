package dev.semel.servlet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.http.Ending;
import dev.semel.http.FailureRules;
import dev.semel.http.KeyMode;
import dev.semel.http.PublishedPolicy;
import dev.semel.http.RoutePattern;
import dev.semel.http.RoutePolicy;
import dev.semel.testkit.FlakyKeyStore;
import dev.semel.testkit.http.RawHttp;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What only a filter can get wrong: all that a servlet can do with its request and its response. */
class SemelFilterTest {
    private static final int LIMIT = 4 << 20;
    private static final byte[] LARGE = new byte[LIMIT + 100_000];

    /** Nothing was done when it is thrown. */
    static final class NothingDoneException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** What an application does with a request. */
    @FunctionalInterface
    interface Application {
        void answer(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException;
    }

    abstract static class InAnyServer {
        final FlakyKeyStore store = new FlakyKeyStore(new InMemoryKeyStore());
        private final Semel semel = Semel.on(store).start();
        final AtomicInteger runs = new AtomicInteger();
        private final List<ServletListener.Ended> endings = Collections.synchronizedList(new ArrayList<>());
        final RawRequest charge = RawRequest.charge("/charges").key("k-" + UUID.randomUUID());
        private TestServer server;

        abstract TestServer.Kind kind();

        private SemelFilter filter() {
            RoutePolicy guarded = RoutePolicy.DEFAULT.withKey(KeyMode.OPTIONAL);
            ServletRoutes routes =
                    ServletRoutes.of(List.of(new PublishedPolicy.Route(RoutePattern.parse("POST /**"), guarded)));
            return new SemelFilter(semel, routes)
                    .withFailures(FailureRules.ALL_IN_DOUBT.notRun(NothingDoneException.class))
                    .withListener(endings::add);
        }

        void serve(Application application) throws Exception {
            serve("", filter(), application);
        }

        private void serve(String contextPath, Filter filter, Application application) throws Exception {
            server = kind().start(contextPath, filter, new HttpServlet() {
                private static final long serialVersionUID = 1L;

                @Override
                protected void service(HttpServletRequest request, HttpServletResponse response)
                        throws IOException, ServletException {
                    if (request.getDispatcherType() == DispatcherType.REQUEST) runs.incrementAndGet();
                    application.answer(request, response);
                }
            });
        }

        @AfterEach
        void stop() throws Exception {
            if (server != null) server.close();
            semel.close();
            store.close();
        }

        private Received exchange(RawRequest request) throws IOException {
            RawRequest complete = request.header("Host", "localhost:" + server.port());
            return RawHttp.exchange(server.address(), complete, Duration.ofSeconds(30));
        }

        Received.Response send(RawRequest request) throws IOException {
            Received received = exchange(request);
            return assertInstanceOf(Received.Response.class, received, received::toString);
        }

        /** Sends it twice: it must run once, and the second answer must be the first. */
        private Received.Response sendTwice(RawRequest request) throws IOException {
            Received.Response first = send(request);
            Received.Response second = send(request);
            assertEquals(first.status(), second.status(), second::toString);
            assertArrayEquals(first.body(), second.body(), second::toString);
            assertEquals(first.headers().first("Content-Type"), second.headers().first("Content-Type"));
            assertEquals("true", second.headers().first("Idempotent-Replayed"));
            assertEquals(1, runs.get());
            return first;
        }

        void assertProblem(int status, String name, Received.Response answer) {
            assertEquals(status, answer.status(), answer::toString);
            assertTrue(answer.text().contains("\"urn:semel:problem:" + name + "\""), answer::toString);
        }

        @Test
        void what_a_writer_writes_is_kept_in_its_charset() throws Exception {
            serve((request, response) -> {
                response.setContentType("text/plain;charset=UTF-8");
                PrintWriter writer = response.getWriter();
                response.setContentType("text/plain;charset=ISO-8859-1");
                writer.print("grüße ");
                response.flushBuffer();
                response.setHeader("X-After-Flush", "kept back");
                writer.print("€");
            });
            Received.Response first = sendTwice(charge);
            assertEquals("grüße €", first.text());
            assertEquals("text/plain;charset=utf-8", lower(first.headers().first("Content-Type")));
            assertEquals("kept back", first.headers().first("X-After-Flush"));
        }

        private static String lower(String text) {
            return text.toLowerCase(java.util.Locale.ROOT).replace(" ", "");
        }

        @Test
        void stream_and_writer_exclude_each_other_until_a_reset() throws Exception {
            serve((request, response) -> {
                response.setHeader("X-Gone", "yes");
                response.setStatus(500);
                response.getOutputStream().print("half a page");
                try {
                    response.getWriter();
                    throw new AssertionError("both were given");
                } catch (IllegalStateException expected) {
                    response.reset();
                }
                response.setContentType("text/plain");
                response.getWriter().print("a page");
            });
            Received.Response first = sendTwice(charge);
            assertEquals(200, first.status());
            assertEquals("a page", first.text());
            assertNull(first.headers().first("X-Gone"));
        }

        @Test
        void cookies_are_for_the_first_caller_only() throws Exception {
            serve((request, response) -> {
                Cookie cookie = new Cookie("session", "secret");
                cookie.setHttpOnly(true);
                cookie.setPath("/");
                response.addCookie(cookie);
            });
            String set = String.valueOf(send(charge).headers().first("Set-Cookie"));
            assertTrue(set.startsWith("session=secret") && set.contains("HttpOnly") && set.contains("Path=/"), set);
            assertNull(send(charge).headers().first("Set-Cookie"));
            assertEquals(1, runs.get());
        }

        @Test
        void an_error_that_was_sent_is_an_outcome() throws Exception {
            serve((request, response) -> {
                response.getOutputStream().print("half a page");
                response.sendError(409, "taken <b>already</b>");
                response.getOutputStream().print("more of it");
                assertTrue(response.isCommitted());
            });
            Received.Response first = sendTwice(charge);
            assertEquals(409, first.status());
            assertEquals("taken <b>already</b>", first.text());
            assertEquals("text/plain;charset=utf-8", lower(first.headers().first("Content-Type")));
        }

        @Test
        void an_error_page_of_the_application_is_kept_with_the_error() throws Exception {
            AtomicInteger pages = new AtomicInteger();
            serve("", filter().withErrorPage("/oops"), (request, response) -> {
                if (request.getDispatcherType() == DispatcherType.REQUEST) {
                    response.sendError(422, "no such account");
                } else {
                    response.setContentType("application/json");
                    response.getWriter()
                            .print("{\"page\":" + pages.incrementAndGet() + ",\"status\":"
                                    + request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) + ",\"message\":\""
                                    + request.getAttribute(RequestDispatcher.ERROR_MESSAGE) + "\"}");
                }
            });
            Received.Response first = sendTwice(charge);
            assertEquals(422, first.status());
            assertEquals("{\"page\":1,\"status\":422,\"message\":\"no such account\"}", first.text());
        }

        /** Whoever guards the page may refuse to show it: that says nothing about the operation. */
        @Test
        void an_error_page_that_ends_in_another_way_leaves_the_error_as_it_was() throws Exception {
            serve("", filter().withErrorPage("/oops"), (request, response) -> {
                String how = request.getRequestURI();
                if (request.getDispatcherType() == DispatcherType.REQUEST) {
                    response.setHeader("X-Of-Error", "yes");
                    response.sendError(500, "no such account");
                    return;
                }
                response.setHeader("X-Of-Page", how);
                response.getWriter().print("a page that nobody sees");
                switch (String.valueOf(request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI))) {
                    case "/refused" -> response.sendError(403, "not for you");
                    case "/challenged" -> response.setStatus(401);
                    case "/led-away" -> response.sendRedirect("/login");
                    default -> throw new ServletException("no page today");
                }
            });
            int run = 0;
            for (String how : List.of("/refused", "/challenged", "/led-away", "/broken")) {
                RawRequest asked = charge.to(how).key("k" + how.substring(1));
                for (int i = 0; i < 2; i++) {
                    Received.Response answer = send(asked);
                    assertEquals(500, answer.status(), answer::toString);
                    assertEquals("no such account", answer.text());
                    assertEquals("yes", answer.headers().first("X-Of-Error"));
                    assertNull(answer.headers().first("X-Of-Page"));
                    assertNull(answer.headers().first("Location"));
                }
                assertEquals(++run, runs.get(), how);
            }
        }

        @Test
        void an_error_page_that_is_not_there_leaves_the_message() throws Exception {
            serve("/shop", filter().withErrorPage("/../oops"), (request, response) -> response.sendError(409, "taken"));
            Received.Response first = sendTwice(charge.to("/shop/charges"));
            assertEquals(409, first.status());
            assertEquals("taken", first.text());
        }

        @Test
        void a_redirect_is_an_outcome() throws Exception {
            serve((request, response) -> response.sendRedirect("done?a=b"));
            Received.Response first =
                    sendTwice(RawRequest.charge("/shop/charges").key("k-redirect"));
            assertEquals(302, first.status());
            assertEquals("/shop/done?a=b", first.headers().first("Location"));
        }

        @Test
        void what_servlet_6_1_added_is_held_back_too() throws Exception {
            serve((request, response) -> {
                CapturedResponse newer = assertInstanceOf(CapturedResponse.class, response);
                newer.setContentType("text/plain");
                newer.setCharacterEncoding(StandardCharsets.UTF_8);
                newer.getWriter().print("grüße");
                newer.sendRedirect("/done", 303, false);
            });
            Received.Response first = sendTwice(charge);
            assertEquals(303, first.status());
            assertEquals("/done", first.headers().first("Location"));
            assertEquals("grüße", first.text());
        }

        @Test
        void a_servlet_that_throws_leaves_a_doubt_and_never_runs_again() throws Exception {
            serve((request, response) -> {
                response.getOutputStream().print("half a page");
                throw new ServletException(new IllegalStateException("secret"));
            });
            Received.Response first = send(charge);
            assertProblem(502, "outcome-unknown", first);
            assertTrue(!first.text().contains("secret"), first::text);
            assertTrue(first.text().contains("the application threw IllegalStateException"), first::text);
            assertProblem(409, "outcome-unknown", send(charge));
            assertEquals(1, runs.get());
        }

        @Test
        void an_exception_that_says_that_nothing_ran_frees_the_key() throws Exception {
            serve((request, response) -> {
                if (runs.get() == 1) throw new ServletException(new NothingDoneException());
                response.setStatus(201);
            });
            assertProblem(502, "upstream-unreachable", send(charge));
            assertEquals(201, send(charge).status());
            assertEquals(2, runs.get());
        }

        @Test
        void asynchronous_answers_are_refused_with_a_key_and_pass_without() throws Exception {
            AtomicReference<Throwable> refusal = new AtomicReference<>();
            serve((request, response) -> {
                try {
                    var async = request.startAsync();
                    async.start(() -> {
                        try {
                            async.getResponse().getOutputStream().print("later");
                        } catch (IOException e) {
                            refusal.set(e);
                        }
                        async.complete();
                    });
                } catch (IllegalStateException e) {
                    refusal.set(e);
                    throw e;
                }
            });
            assertEquals("later", send(RawRequest.charge("/charges").noKey()).text());
            assertNull(refusal.get());
            assertProblem(502, "outcome-unknown", send(charge));
            assertTrue(refusal.get().getMessage().contains("asynchronously"), refusal.get()::getMessage);
        }

        @Test
        void parts_of_a_form_are_refused() throws Exception {
            serve((request, response) -> {
                try {
                    request.getParts();
                    throw new AssertionError("parts were given");
                } catch (ServletException e) {
                    response.getOutputStream().print(e.getMessage());
                }
            });
            assertTrue(sendTwice(charge).text().contains("multipart/form-data"));
        }

        @Test
        void parameters_of_a_form_are_those_of_query_and_body() throws Exception {
            serve((request, response) -> {
                response.setCharacterEncoding("UTF-8");
                response.setContentType("text/plain");
                response.getWriter()
                        .print(String.join(",", request.getParameterValues("a")) + " " + request.getParameter("b") + " "
                                + request.getParameter("none") + " "
                                + request.getReader().readLine());
            });
            RawRequest form = charge.to("/charges?a=1")
                    .body(
                            "application/x-www-form-urlencoded",
                            "a=2&b=gr%C3%BC%C3%9Fe+x&&c".getBytes(StandardCharsets.US_ASCII));
            assertEquals(
                    "1,2 grüße x null a=2&b=gr%C3%BC%C3%9Fe+x&&c",
                    sendTwice(form).text());
        }

        @Test
        void a_forward_is_the_same_request_and_runs_once() throws Exception {
            serve((request, response) -> {
                if (request.getDispatcherType() == DispatcherType.REQUEST) {
                    response.getOutputStream().print("is dropped by the forward");
                    request.getRequestDispatcher("/other").forward(request, response);
                } else {
                    response.getOutputStream().print("forwarded " + request.getHeader("Semel-Attempt"));
                }
            });
            assertEquals("forwarded 1", sendTwice(charge).text());
        }

        @Test
        void an_answer_that_is_shorter_than_it_said_leaves_a_doubt() throws Exception {
            serve((request, response) -> {
                response.setContentLengthLong(10);
                response.getOutputStream().print("short");
            });
            assertProblem(502, "outcome-unknown", send(charge));
            assertProblem(409, "outcome-unknown", send(charge));
        }

        @Test
        void an_answer_ends_where_it_said() throws Exception {
            serve((request, response) -> {
                response.setIntHeader("Content-Length", 5);
                response.getOutputStream().print("truly and more");
            });
            assertEquals("truly", sendTwice(charge).text());
        }

        @Test
        void a_header_that_cannot_be_sent_is_not_recorded() throws Exception {
            serve((request, response) -> response.setHeader("X-Split", "a\r\nSet-Cookie: b=c"));
            assertProblem(502, "outcome-unknown", send(charge));
        }

        @Test
        void a_large_answer_goes_live_on_the_thread_of_the_request() throws Exception {
            CountDownLatch seen = new CountDownLatch(1);
            AtomicReference<Thread> filtered = new AtomicReference<>();
            AtomicReference<Thread> ran = new AtomicReference<>();
            Filter before = (request, response, chain) -> {
                filtered.set(Thread.currentThread());
                filter().doFilter(request, response, chain);
            };
            serve("", before, (request, response) -> {
                ran.set(Thread.currentThread());
                response.getOutputStream().write(LARGE);
                response.flushBuffer();
                assertTrue(response.isCommitted());
                await(seen);
                response.getOutputStream().write(LARGE);
            });
            try (RawHttp connection = RawHttp.connect(server.address(), Duration.ofSeconds(30))) {
                connection.send(charge.header("Host", "localhost").bytes());
                Received.Response first = connection.receiveInTwo(LIMIT, seen::countDown);
                assertEquals(2 * LARGE.length, first.body().length);
                assertTrue(first.headers().first("Idempotency-Expires") != null);
            }
            assertEquals(filtered.get(), ran.get());
            assertProblem(200, "response-not-kept", send(charge));
            assertEquals(1, runs.get());
        }

        private static void await(CountDownLatch latch) {
            try {
                if (!latch.await(30, TimeUnit.SECONDS)) throw new AssertionError("nobody came");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Test
        void a_large_answer_that_fails_is_seen_to_break_off() throws Exception {
            serve((request, response) -> {
                response.getOutputStream().write(LARGE);
                response.getOutputStream().flush();
                throw new IllegalStateException("in the middle");
            });
            assertInstanceOf(Received.CutOff.class, exchange(charge));
            assertProblem(200, "response-not-kept", send(charge));
            assertEquals(1, runs.get());
        }

        @Test
        void a_client_that_hangs_up_on_a_large_answer_does_not_stop_the_servlet() throws Exception {
            CountDownLatch sent = new CountDownLatch(1);
            CountDownLatch gone = new CountDownLatch(1);
            CountDownLatch ended = new CountDownLatch(1);
            serve((request, response) -> {
                response.getOutputStream().write(LARGE);
                response.flushBuffer();
                sent.countDown();
                await(gone);
                for (int i = 0; i < 10; i++) response.getOutputStream().write(LARGE);
                response.flushBuffer();
                ended.countDown();
            });
            try (RawHttp connection = RawHttp.connect(server.address(), Duration.ofSeconds(30))) {
                connection.send(charge.header("Host", "localhost").bytes());
                connection.receiveInTwo(LIMIT, () -> {
                    connection.reset();
                    gone.countDown();
                });
            } catch (IOException e) {
                // It hung up itself.
            }
            await(sent);
            await(ended);
            assertProblem(200, "response-not-kept", send(charge));
            assertEquals(1, runs.get());
        }

        private SemelFilter keepingOneKilobyte() {
            RoutePolicy usual = RoutePolicy.DEFAULT;
            RoutePolicy small = new RoutePolicy(
                    KeyMode.OPTIONAL,
                    usual.keys(),
                    usual.claims(),
                    usual.statuses(),
                    usual.fingerprint(),
                    usual.headers(),
                    null,
                    null,
                    usual.requestLimit(),
                    1024);
            return new SemelFilter(semel, ServletRoutes.of(ServletRoutes.route("POST /**", small)));
        }

        @Test
        void what_an_error_drops_is_not_sent_however_much_it_was() throws Exception {
            serve("", keepingOneKilobyte(), (request, response) -> {
                response.getWriter().print("x".repeat(2000));
                response.sendError(500, "it failed");
            });
            Received.Response first = sendTwice(charge);
            assertEquals(500, first.status());
            assertEquals("it failed", first.text());
        }

        @Test
        void an_answer_that_was_recorded_as_too_large_is_the_one_that_leaves() throws Exception {
            serve("", keepingOneKilobyte(), (request, response) -> {
                response.getOutputStream().write(new byte[2000]);
                throw new IllegalStateException("in the middle");
            });
            assertInstanceOf(Received.CutOff.class, exchange(charge));
            assertProblem(200, "response-not-kept", send(charge));
        }

        @Test
        void a_servlet_may_say_in_which_charset_its_body_is() throws Exception {
            serve((request, response) -> {
                request.setCharacterEncoding("UTF-8");
                response.setCharacterEncoding("UTF-8");
                response.getWriter().print(request.getReader().readLine());
            });
            RawRequest text = charge.body("text/plain", "grüße".getBytes(StandardCharsets.UTF_8));
            assertEquals("grüße", sendTwice(text).text());
        }

        @Test
        void what_filters_before_have_said_stays_fresh_and_replayed() throws Exception {
            AtomicInteger requests = new AtomicInteger();
            SemelFilter filter = filter();
            Filter before = (request, response, chain) -> {
                HttpServletResponse http = (HttpServletResponse) response;
                http.setHeader("X-Trace", "t" + requests.incrementAndGet());
                http.setHeader("X-Level", "filter");
                http.addHeader("Vary", "Origin");
                filter.doFilter(request, response, chain);
            };
            serve("", before, (request, response) -> {
                assertEquals("filter", response.getHeader("X-Level"));
                response.setHeader("X-Level", "application");
                response.addHeader("Vary", "Accept");
            });
            Received.Response first = send(charge);
            Received.Response second = send(charge);
            assertEquals("t1", first.headers().first("X-Trace"));
            assertEquals("t2", second.headers().first("X-Trace"));
            for (Received.Response each : List.of(first, second)) {
                assertEquals(List.of("application"), each.headers().all("X-Level"));
                assertEquals(List.of("Origin", "Accept"), each.headers().all("Vary"));
            }
        }

        @Test
        void keys_of_different_principals_never_meet() throws Exception {
            SemelFilter filter = filter().withTenants(ServletTenants.principal());
            Filter before = (request, response, chain) -> {
                HttpServletRequest http = (HttpServletRequest) request;
                String user = http.getHeader("X-User");
                Principal principal = user == null ? null : () -> user;
                HttpServletRequest known = new HttpServletRequestWrapper(http) {
                    @Override
                    public Principal getUserPrincipal() {
                        return principal;
                    }
                };
                filter.doFilter(known, response, chain);
            };
            serve("", before, (request, response) -> response.getOutputStream().print("run " + runs.get()));
            assertEquals("run 1", send(charge.header("X-User", "alice")).text());
            assertEquals("run 2", send(charge.header("X-User", "bob")).text());
            assertEquals("run 1", send(charge.header("X-User", "alice")).text());
            assertProblem(401, "tenant-unknown", send(charge));
            assertProblem(401, "tenant-unknown", send(charge.header("X-User", "x".repeat(1030))));
            assertEquals(2, runs.get());
        }

        @Test
        void an_application_below_a_path_has_its_own_resources_there() throws Exception {
            ServletRoutes routes = ServletRoutes.of(List.of(new PublishedPolicy.Route(
                    RoutePattern.parse("POST /shop/charges"), RoutePolicy.DEFAULT.withKey(KeyMode.REQUIRED))));
            serve("/shop", new SemelFilter(semel, routes), (request, response) -> {
                throw new IllegalStateException("nobody knows");
            });
            RawRequest lost = charge.to("/shop/charges");
            Received.Response unknown = send(lost);
            assertProblem(502, "outcome-unknown", unknown);
            assertEquals(
                    "</shop/.well-known/idempotency>; rel=\"describedby\"",
                    unknown.headers().first("Link"));
            String location = unknown.headers().first("Location");
            assertTrue(location.startsWith("/shop/.semel/v1/keys/"), location);
            assertTrue(send(RawRequest.get(location)).text().contains("\"in-doubt\""));
            assertTrue(
                    send(RawRequest.get("/shop/.well-known/idempotency")).text().contains("POST /shop/charges"));
            assertProblem(403, "service-api-off", send(RawRequest.charge("/shop/.semel/v1/claims")));
        }

        @Test
        void a_body_that_was_read_before_is_an_error_and_nothing_runs() throws Exception {
            SemelFilter filter = filter();
            Filter before = (request, response, chain) -> {
                request.getInputStream().readAllBytes();
                filter.doFilter(request, response, chain);
            };
            serve("", before, (request, response) -> {});
            assertEquals(500, send(charge).status());
            assertEquals(0, runs.get());
        }

        @Test
        void a_body_in_chunks_that_was_read_before_is_an_error_too() throws Exception {
            SemelFilter filter = filter();
            Filter before = (request, response, chain) -> {
                if (request.getParameter("read") != null)
                    request.getInputStream().readAllBytes();
                filter.doFilter(request, response, chain);
            };
            serve("", before, (request, response) -> response.setStatus(201));
            assertEquals(
                    500, send(charge.to("/charges?read=all").inChunksOf(10)).status());
            assertEquals(0, runs.get());
            RawRequest empty = charge.to("/charges").body("text/plain", new byte[0]);
            assertEquals(201, sendTwice(empty.inChunksOf(10)).status());
        }

        /** As the filters of frameworks do, that look for a token or for another method. */
        @Test
        void a_form_that_was_read_before_is_the_same_request_only_with_the_same_parameters() throws Exception {
            SemelFilter filter = filter();
            Filter before = (request, response, chain) -> {
                request.setCharacterEncoding("UTF-8");
                assertNull(request.getParameter("token"));
                filter.doFilter(request, response, chain);
            };
            serve("", before, (request, response) -> {
                response.setCharacterEncoding("UTF-8");
                response.getWriter().print(String.join(",", request.getParameterValues("a")));
                response.getWriter().print(" " + request.getReader().readLine());
            });
            RawRequest five = charge.to("/charges?a=1")
                    .body("application/x-www-form-urlencoded", "a=%C3%BC&b=5".getBytes(StandardCharsets.US_ASCII));
            RawRequest nine =
                    five.body("application/x-www-form-urlencoded", "a=%C3%BC&b=9".getBytes(StandardCharsets.US_ASCII));
            assertEquals("1,ü a=%C3%BC&b=5", sendTwice(five).text());
            assertEquals("true", send(five.inChunksOf(5)).headers().first("Idempotent-Replayed"));
            assertProblem(422, "key-reused", send(nine));
            assertProblem(422, "key-reused", send(nine.inChunksOf(5)));
            assertEquals(1, runs.get());
        }

        @Test
        void a_chain_with_the_filter_twice_runs_once() throws Exception {
            SemelFilter filter = filter();
            Filter twice = (request, response, chain) -> {
                FilterChain again = (req, res) -> filter.doFilter(req, res, chain);
                filter.doFilter(request, response, again);
            };
            serve("", twice, (request, response) -> response.setStatus(201));
            assertEquals(201, sendTwice(charge).status());
        }

        @Test
        void the_listener_is_told_how_each_request_ends() throws Exception {
            serve((request, response) -> response.setStatus(201));
            sendTwice(charge);
            send(charge.json("{\"other\":1}"));
            send(RawRequest.charge("/charges").noKey());
            List<String> told = endings.stream()
                    .map(it -> it.ending() + " " + it.status() + " " + it.problem())
                    .toList();
            assertEquals(
                    List.of(
                            Ending.FRESH + " 201 null",
                            Ending.REPLAYED + " 201 null",
                            Ending.PROBLEM + " 422 key-reused",
                            Ending.PASSED + " 201 null"),
                    told);
        }

        @Test
        void a_large_body_is_read_whole_whatever_its_framing() throws Exception {
            byte[] body = new byte[900_000];
            Arrays.fill(body, (byte) 'x');
            serve((request, response) ->
                    response.getOutputStream().print(request.getInputStream().readAllBytes().length));
            RawRequest large = charge.body("text/plain", body);
            assertEquals("900000", send(large.inChunksOf(10_000)).text());
            assertEquals("true", send(large).headers().first("Idempotent-Replayed"));
            assertEquals(1, runs.get());
        }
    }

    @Nested
    class InTomcat extends InAnyServer {
        @Test
        void a_large_answer_that_cannot_be_recorded_does_not_leave() throws Exception {
            serve((request, response) -> {
                store.down(true);
                response.getOutputStream().write(LARGE);
                store.down(false);
                response.getOutputStream().write(LARGE);
            });
            assertProblem(504, "outcome-unknown", send(charge));
            assertEquals(1, runs.get());
        }

        @Override
        TestServer.Kind kind() {
            return TomcatServer::start;
        }
    }

    @Nested
    class InJetty extends InAnyServer {
        @Override
        TestServer.Kind kind() {
            return JettyServer::start;
        }
    }
}
