package dev.semel.torture.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LinkTest {
    private static final byte[] WORD = "something".getBytes(StandardCharsets.US_ASCII);

    private final AtomicInteger heard = new AtomicInteger();
    private ServerSocket echo;
    private Link link;

    @BeforeEach
    void open() throws IOException {
        echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
        link = Link.open("test", new InetSocketAddress(InetAddress.getLoopbackAddress(), echo.getLocalPort()));
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = echo.accept();
                Thread.ofVirtual().start(() -> answer(socket));
            }
        } catch (IOException over) {
            // The test has ended.
        }
    }

    private void answer(Socket socket) {
        try (socket) {
            while (true) {
                byte[] word = socket.getInputStream().readNBytes(WORD.length);
                if (word.length < WORD.length) return;
                heard.incrementAndGet();
                socket.getOutputStream().write(word);
            }
        } catch (IOException over) {
            // The other side has gone.
        }
    }

    @AfterEach
    void close() throws IOException {
        link.close();
        echo.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), link.port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static byte[] ask(Socket socket) throws IOException {
        socket.getOutputStream().write(WORD);
        return socket.getInputStream().readNBytes(WORD.length);
    }

    @Test
    void in_calm_weather_everything_passes() throws Exception {
        try (Socket socket = connect()) {
            assertArrayEquals(WORD, ask(socket));
            link.change(LinkCondition.DELAY);
            assertArrayEquals(WORD, ask(socket));
        }
    }

    @Test
    void a_cut_after_the_request_lets_it_arrive_and_nothing_come_back() throws Exception {
        link.change(LinkCondition.CUT_AFTER_REQUEST);
        try (Socket socket = connect()) {
            assertThrows(SocketException.class, () -> ask(socket));
            assertEquals(1, heard.get());
        }
    }

    @Test
    void a_reset_ends_the_connections_that_are_there() throws Exception {
        try (Socket socket = connect()) {
            ask(socket);
            link.change(LinkCondition.RESET);
            assertThrows(SocketException.class, () -> socket.getInputStream().read());
        }
    }

    @Test
    void a_link_that_refuses_is_found_again_at_the_same_port() throws Exception {
        link.change(LinkCondition.REFUSE);
        assertThrows(ConnectException.class, this::connect);
        link.change(LinkCondition.HEALTHY);
        try (Socket socket = connect()) {
            assertArrayEquals(WORD, ask(socket));
        }
    }

    @Test
    void what_a_black_hole_held_for_a_moment_arrives_late() throws Exception {
        try (Socket socket = connect()) {
            ask(socket);
            link.change(LinkCondition.BLACK_HOLE);
            socket.setSoTimeout(100);
            assertThrows(SocketTimeoutException.class, () -> ask(socket));
            link.change(LinkCondition.HEALTHY);
            socket.setSoTimeout(20_000);
            assertArrayEquals(WORD, socket.getInputStream().readNBytes(WORD.length));
        }
    }

    @Test
    void what_a_black_hole_held_for_too_long_never_arrives() throws Exception {
        try (Socket socket = connect()) {
            ask(socket);
            link.change(LinkCondition.BLACK_HOLE);
            socket.setSoTimeout((int) Link.MAX_DELAY.toMillis() + 500);
            assertThrows(SocketTimeoutException.class, () -> ask(socket));
            link.change(LinkCondition.HEALTHY);
            socket.setSoTimeout(20_000);
            assertThrows(SocketException.class, () -> socket.getInputStream().read());
            assertEquals(1, heard.get());
        }
    }
}
