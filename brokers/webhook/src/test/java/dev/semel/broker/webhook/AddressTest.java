package dev.semel.broker.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.broker.webhook.http.AddressGuard;
import dev.semel.broker.webhook.http.AddressRange;
import dev.semel.broker.webhook.http.Answer;
import dev.semel.broker.webhook.http.EndpointUrl;
import dev.semel.broker.webhook.http.HttpPost;
import dev.semel.broker.webhook.http.NameLookup;
import dev.semel.broker.webhook.http.WebhookRequest;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever chooses the URL of an endpoint does not choose what this process talks to. */
@Timeout(30)
class AddressTest {
    private static final AddressGuard STRICT = new AddressGuard(List.of());
    private static final AddressGuard LOOPBACK = new AddressGuard(List.of(AddressRange.parse("127.0.0.0/8")));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "10.255.255.255",
                "100.64.0.1",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.255.254",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.8",
                "192.0.2.1",
                "192.168.0.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.7",
                "203.0.113.7",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::ffff:169.254.169.254",
                "::127.0.0.1",
                "64:ff9b::7f00:1",
                "64:ff9b::a9fe:a9fe",
                "64:ff9b:1::a00:1",
                "fc00::1",
                "fd12:3456::1",
                "fe80::1",
                "fec0::1",
                "ff02::1",
                "2001::1",
                "2001:db8::1",
                "2002:7f00:1::",
                "2002:a9fe:a9fe::1",
                "100::1",
                "3fff::1",
                "4000::1",
                "fd00:ec2::254"
            })
    void an_address_that_is_not_of_the_public_internet_is_refused(String address) throws Exception {
        assertTrue(!STRICT.allows(InetAddress.getByName(address)), address);
    }

    @Test
    void a_mapped_address_is_the_one_inside_also_where_java_does_not_unwrap_it() throws Exception {
        byte[] mapped = new byte[16];
        mapped[10] = mapped[11] = -1;
        System.arraycopy(new byte[] {10, 0, 0, 1}, 0, mapped, 12, 4);
        assertTrue(!STRICT.allows(java.net.Inet6Address.getByAddress("mapped", mapped, -1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
                "128.0.0.1", "172.15.255.255", "172.32.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450::1",
                "::ffff:8.8.8.8"
            })
    void an_address_of_the_public_internet_is_allowed(String address) throws Exception {
        assertTrue(STRICT.allows(InetAddress.getByName(address)), address);
    }

    @Test
    void what_is_allowed_besides_is_allowed_and_nothing_near_it() throws Exception {
        AddressGuard guard =
                new AddressGuard(List.of(AddressRange.parse("10.1.0.0/16"), AddressRange.parse("fd00::/8")));
        assertTrue(guard.allows(InetAddress.getByName("10.1.255.255")));
        assertTrue(guard.allows(InetAddress.getByName("fd12::1")));
        assertTrue(!guard.allows(InetAddress.getByName("10.2.0.0")));
        assertTrue(!guard.allows(InetAddress.getByName("fc00::1")));
        assertTrue(!guard.allows(InetAddress.getByName("127.0.0.1")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://2130706433/",
                "http://0x7f000001/",
                "http://0x7f.0.0.1/",
                "http://0177.0.0.1/",
                "http://127.1/",
                "http://0/",
                "http://127.0.0.1./",
                "http://a.0x7f/",
                "http://256.1.1.1/",
                "http://127.0.0.01/",
                "http://017700000001/",
                "http://[::1%25lo]/",
                "http://user:secret@example.com/",
                "http://user@example.com/",
                "http://example.com@127.0.0.1/",
                "http://exa mple.com/",
                "http://example.com\\@127.0.0.1/",
                "http:///path",
                "http:example.com",
                "file:///etc/passwd",
                "gopher://127.0.0.1/",
                "ftp://example.com/",
                "//example.com/",
                "example.com",
                "http://example.com:0/",
                "http://example.com:65536/",
                "http://example.com:-1/",
                "http://\u24d4xample.com/",
                "http://127.0.0.1\r\nX: y/",
                "http://example.com/#x",
                "http://exa_mple.com/",
                ""
            })
    void a_url_that_can_be_read_in_two_ways_is_refused(String url) {
        assertThrows(IllegalArgumentException.class, () -> EndpointUrl.parse(url, true));
    }

    @Test
    void plain_http_has_to_be_allowed_and_a_refusal_does_not_tell_a_password() {
        assertTrue(String.valueOf(assertThrows(
                                IllegalArgumentException.class, () -> EndpointUrl.parse("http://example.com/", false))
                        .getMessage())
                .contains("not https"));
        String told = String.valueOf(assertThrows(
                        IllegalArgumentException.class, () -> EndpointUrl.parse("https://a:hidden@example.com/", false))
                .getMessage());
        assertTrue(!told.contains("hidden"), told);
        assertTrue(!EndpointUrl.parse("https://example.com/?token=hidden", false)
                .toString()
                .contains("hidden"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:%d/",
                "http://localhost:%d/",
                "http://[::ffff:127.0.0.1]:%d/",
                "http://[::1]:%d/"
            })
    void an_own_address_is_not_connected_to_however_it_is_written(String url) throws Exception {
        try (Receiver receiver = Receiver.start();
                HttpPost http = new HttpPost(STRICT, NameLookup.SYSTEM, SSLContext.getDefault())) {
            Answer answer = http.send(request(url.formatted(receiver.port()), Duration.ofSeconds(5)));
            assertEquals("address", assertInstanceOf(Answer.None.class, answer).kind());
            assertEquals(0, receiver.requests().size());
        }
    }

    @Test
    void a_name_is_looked_up_once_and_what_was_checked_is_what_is_connected_to() throws Exception {
        AtomicInteger lookups = new AtomicInteger();
        NameLookup rebinding = host -> lookups.getAndIncrement() == 0 ? addresses("127.0.0.1") : addresses("10.0.0.1");
        try (Receiver receiver = Receiver.start();
                HttpPost http = new HttpPost(LOOPBACK, rebinding, SSLContext.getDefault())) {
            String url = "http://hooks.example:" + receiver.port() + "/x";
            Answer answer = http.send(request(url, Duration.ofSeconds(5)));
            assertEquals(200, assertInstanceOf(Answer.Status.class, answer).code());
            assertEquals(1, lookups.get());
            assertEquals(
                    "hooks.example:" + receiver.port(),
                    receiver.requests().getFirst().headers().get("host"));
            assertEquals(
                    "address",
                    assertInstanceOf(Answer.None.class, http.send(request(url, Duration.ofSeconds(5))))
                            .kind());
        }
    }

    @Test
    void of_several_addresses_only_those_that_are_allowed_are_tried_and_one_that_is_dead_is_passed_over()
            throws Exception {
        try (Receiver receiver = Receiver.start();
                HttpPost http = new HttpPost(
                        LOOPBACK, host -> addresses("10.0.0.1", "127.9.9.9", "127.0.0.1"), SSLContext.getDefault())) {
            Answer answer = http.send(request("http://hooks.example:" + receiver.port() + "/", Duration.ofSeconds(5)));
            assertEquals(200, assertInstanceOf(Answer.Status.class, answer).code());
        }
    }

    @Test
    void a_redirect_is_an_answer_and_not_followed() throws Exception {
        try (Receiver receiver = Receiver.start();
                HttpPost http = new HttpPost(LOOPBACK, NameLookup.SYSTEM, SSLContext.getDefault())) {
            receiver.answer(it -> Receiver.Reply.of(307, "Location", receiver.url("/secret")));
            Answer answer = http.send(request(receiver.url("/"), Duration.ofSeconds(5)));
            assertEquals(307, assertInstanceOf(Answer.Status.class, answer).code());
            assertEquals(1, receiver.requests().size());
        }
    }

    private static WebhookRequest request(String url, Duration timeout) {
        return new WebhookRequest(EndpointUrl.parse(url, true), Map.of(), "{}".getBytes(US_ASCII), timeout);
    }

    private static List<InetAddress> addresses(String... texts) throws UnknownHostException {
        InetAddress[] addresses = new InetAddress[texts.length];
        for (int i = 0; i < texts.length; i++) addresses[i] = InetAddress.getByName(texts[i]);
        return Arrays.asList(addresses);
    }

    /** A server that answers with these bytes, again and again until the client hangs up. */
    private static Answer answered(String first, String dripped, Duration timeout) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                HttpPost http = new HttpPost(LOOPBACK, host -> addresses("127.0.0.1"), SSLContext.getDefault())) {
            Thread.ofVirtual().start(() -> {
                try (Socket client = server.accept()) {
                    client.getOutputStream().write(first.getBytes(US_ASCII));
                    for (int i = 0; !dripped.isEmpty(); i++) {
                        client.getOutputStream().write(dripped.charAt(i % dripped.length()));
                        if (i % 1000 == 0) java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
                    }
                    while (client.getInputStream().read() >= 0) Thread.onSpinWait();
                } catch (java.io.IOException e) {
                    // It hung up, which is what it should do.
                }
            });
            long began = System.nanoTime();
            Answer answer = http.send(request("http://h.example:" + server.getLocalPort() + "/", timeout));
            assertTrue(System.nanoTime() - began < timeout.plusSeconds(5).toNanos());
            return answer;
        }
    }

    @Test
    void a_server_that_says_nothing_or_drips_or_babbles_is_left_in_time() throws Exception {
        Duration soon = Duration.ofMillis(300);
        assertEquals("timeout", none(answered("", "", soon)));
        assertEquals("timeout", none(answered("HTTP/1.1 200 OK\r\n", "", soon)));
        assertEquals("timeout", none(answered("HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n", soon)));
        Duration later = Duration.ofSeconds(20);
        assertEquals("broken", none(answered("", "x", later)));
        assertEquals("broken", none(answered("HTTP/1.1 200 OK\r\n", "a: b\r\n", later)));
        assertEquals(
                "broken", none(answered("SSH-2.0-OpenSSH_9.2\r\n", "", later)).replace("timeout", "broken"));
        Answer endless = answered("HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n", "5\r\nhello\r\n", later);
        assertEquals(512, assertInstanceOf(Answer.Status.class, endless).body().length());
        Answer early = answered("HTTP/1.1 204 Done\r\n\r\n", "", later);
        assertEquals(204, assertInstanceOf(Answer.Status.class, early).code());
    }

    private static String none(Answer answer) {
        return assertInstanceOf(Answer.None.class, answer).kind();
    }

    @Test
    void a_name_that_is_not_found_in_time_is_not_waited_for_and_sends_nothing_later() throws Exception {
        CountDownLatch found = new CountDownLatch(1);
        try (Receiver receiver = Receiver.start();
                HttpPost http = new HttpPost(
                        LOOPBACK,
                        host -> {
                            try {
                                found.await();
                            } catch (InterruptedException e) {
                                throw new UnknownHostException(host);
                            }
                            return addresses("127.0.0.1");
                        },
                        SSLContext.getDefault())) {
            Answer answer = http.send(request("http://slow.example:" + receiver.port() + "/", Duration.ofMillis(100)));
            assertEquals("dns", none(answer));
            found.countDown();
            assertEquals(0, receiver.requests().size());
            assertEquals(
                    "dns",
                    none(new HttpPost(STRICT, NameLookup.SYSTEM, SSLContext.getDefault())
                            .send(request("http://does-not-exist.invalid/", Duration.ofSeconds(10)))));
        }
    }

    @Test
    void ranges_are_written_in_one_way() {
        for (String wrong : Stream.of("10.0.0.0/-1", "10/8", "a.b.c.d/8", "localhost", "", "300.0.0.1/8", "::1/129")
                .toList()) assertThrows(IllegalArgumentException.class, () -> AddressRange.parse(wrong), wrong);
    }
}
