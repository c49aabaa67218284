package dev.semel.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.testkit.FlakyKeyStore;
import dev.semel.testkit.HandClock;
import dev.semel.testkit.http.HttpContract;
import dev.semel.testkit.http.RawHttp;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import dev.semel.testkit.http.ScriptedUpstream;
import dev.semel.testkit.http.SetUp;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The contract of the wire, kept by the filter in whatever server it runs, with an application behind it that is a proxy. */
abstract class ServletHttpContract extends HttpContract {
    private static final String SCENARIO = "refused-or-absolute";

    private final HandClock clock = new HandClock();
    private final FlakyKeyStore store = new FlakyKeyStore(new InMemoryKeyStore(clock));
    private final Map<SetUp, ContractFilter> filters = new EnumMap<>(SetUp.class);
    private final Map<SetUp, TestServer> servers = new EnumMap<>(SetUp.class);
    private ScriptedUpstream upstream;

    abstract TestServer.Kind kind();

    @BeforeAll
    void start() throws Exception {
        upstream = ScriptedUpstream.start();
        for (SetUp setUp : SetUp.values()) {
            ContractFilter filter = new ContractFilter(upstream, store, setUp);
            filters.put(setUp, filter);
            servers.put(setUp, kind().start("", filter.filter(), new ProxyServlet(filter.config())));
        }
    }

    @AfterAll
    void stop() throws Exception {
        if (upstream != null) upstream.close();
        for (TestServer server : servers.values()) server.close();
        filters.values().forEach(ContractFilter::close);
        store.close();
    }

    @Override
    protected InetSocketAddress front(SetUp setUp) {
        return Objects.requireNonNull(servers.get(setUp)).address();
    }

    @Override
    protected ScriptedUpstream upstream() {
        return upstream;
    }

    @Override
    protected void pass(Duration time) {
        clock.advance(time);
    }

    @Override
    protected void storeDown(boolean down) {
        store.down(down);
    }

    /** A filter sees what its server made of the bytes: how strictly it reads them is the server's own affair. */
    @Override
    public Stream<DynamicTest> malformedHttp() {
        return Stream.empty();
    }

    /** These two are refused before there is a request, or the server drops the fragment: see {@link #refusedByTheServer}. */
    @Override
    public Stream<DynamicTest> evasions() {
        return without(
                super.evasions(),
                "a fragment in the target does not lead past a route",
                "a path spelled /exact/charges%00.png does not lead past its route");
    }

    /** A host that differs from the target's is refused before there is a request: see {@link #refusedByTheServer}. */
    @Override
    public Stream<DynamicTest> connections() {
        return without(super.connections(), "a target with scheme and host is the same request as one without");
    }

    @TestFactory
    Stream<DynamicTest> refusedByTheServer() {
        return Stream.of("/required/charges#x", "/exact/charges%00.png", "http://elsewhere.example/required/charges")
                .map(target -> DynamicTest.dynamicTest(target, () -> {
                    int before = upstream.ledger().effects(SCENARIO);
                    Received received = exchange(RawRequest.charge(target).noKey());
                    assertEquals(
                            400,
                            assertInstanceOf(Received.Response.class, received).status());
                    assertEquals(before, upstream.ledger().effects(SCENARIO));
                }));
    }

    @Test
    void a_target_with_scheme_and_host_is_the_same_request_as_one_without() throws Exception {
        RawRequest charge = RawRequest.charge("/required/charges").key("absolute");
        InetSocketAddress front = front(SetUp.PLAIN);
        Received first = exchange(charge.to("http://localhost:" + front.getPort() + "/required/charges"));
        assertEquals(201, assertInstanceOf(Received.Response.class, first).status());
        Received.Response again = assertInstanceOf(Received.Response.class, exchange(charge));
        assertEquals("true", again.headers().first("Idempotent-Replayed"));
    }

    private Received exchange(RawRequest request) throws IOException {
        String host = "localhost:" + front(SetUp.PLAIN).getPort();
        RawRequest complete = request.header("Host", host).header("X-Scenario", SCENARIO);
        return RawHttp.exchange(front(SetUp.PLAIN), complete, Duration.ofSeconds(30));
    }

    static Stream<DynamicTest> without(Stream<DynamicTest> rows, String... names) {
        List<DynamicTest> all = rows.toList();
        for (String name : names)
            assertTrue(all.stream().anyMatch(row -> row.getDisplayName().equals(name)), "no such row: " + name);
        return all.stream().filter(row -> !List.of(names).contains(row.getDisplayName()));
    }
}
