package dev.semel.gateway.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.gateway.wire.MessageScanner.State;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Each stream of bytes is scanned in one piece, and byte by byte: how it is cut must not matter. */
class MessageScannerTest {
    private static final String CHUNKED =
            "Transfer-Encoding: chunked\r\n\r\n5;name=value\r\nhello\r\n0\r\nTrailer: t\r\n\r\n";

    private static int scan(MessageScanner scanner, String bytes, int step) {
        int seen = 0;
        for (int at = 0; at < bytes.length(); at += step) {
            String piece = bytes.substring(at, Math.min(bytes.length(), at + step));
            int end = scanner.scan(Unpooled.copiedBuffer(piece, StandardCharsets.ISO_8859_1));
            seen += scanner.refused() >= 0 ? scanner.refused() : end;
            if (end < piece.length() || scanner.refused() >= 0) break;
        }
        return seen;
    }

    private static void refusedAt(int index, String request) {
        for (int step : new int[] {1, request.length()}) {
            RequestScanner scanner = new RequestScanner();
            assertEquals(index, scan(scanner, request, step), request);
            assertTrue(scanner.refused() >= 0, request);
        }
    }

    private static void endsAt(int index, boolean headOnly, String answer) {
        for (int step : new int[] {1, answer.length()}) {
            AnswerScanner scanner = new AnswerScanner();
            scanner.expectAnswer(headOnly);
            assertEquals(index, scan(scanner, answer, step), answer);
            assertEquals(State.IDLE, scanner.state(), answer);
        }
    }

    @Test
    void a_request_is_followed_by_the_next() {
        String first = "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello";
        String second = "POST / HTTP/1.1\r\n" + CHUNKED;
        for (int step : new int[] {1, 1000}) {
            RequestScanner scanner = new RequestScanner();
            scan(scanner, first + second, step);
            assertEquals(State.START_LINE, scanner.state());
            assertFalse(scanner.headIsOpen());
            scan(scanner, "G", step);
            assertTrue(scanner.headIsOpen());
        }
    }

    @Test
    void a_request_is_refused_at_the_byte_that_two_servers_may_read_differently() {
        String line = "POST / HTTP/1.1\r\n";
        refusedAt(line.length() + 6, line + "A: b\r\n folded\r\n\r\n");
        refusedAt(17, "POST  / HTTP/1.1\r\n");
        String chunked = line + "Transfer-Encoding: chunked\r\n\r\n";
        refusedAt(chunked.length(), chunked + " 5\r\nhello");
        String upgrade = line + "HTTP2-Settings: AA\r\nHost: a\r\nHost: b\r\n\r";
        refusedAt(upgrade.length(), upgrade + "\n");
    }

    @Test
    void http_2_is_no_request_of_http_1() {
        RequestScanner scanner = new RequestScanner();
        assertEquals(16, scan(scanner, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 100));
        assertTrue(scanner.isHttp2());
        assertEquals(-1, scanner.refused());
    }

    @Test
    void an_answer_ends_where_its_framing_says_whatever_follows() {
        String chunked = "HTTP/1.1 200 OK\r\n" + CHUNKED;
        endsAt(chunked.length(), false, chunked + "HTTP/1.1 200 OK\r\n");
        String interim = "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
        endsAt(interim.length(), false, interim + "more");
        String head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";
        endsAt(head.length(), true, head + "hi");
        String bodiless = "HTTP/1.1 204 No Content\r\n\r\n";
        endsAt(bodiless.length(), false, bodiless + "hi");
    }

    @Test
    void an_answer_without_a_length_ends_with_the_connection() {
        AnswerScanner scanner = new AnswerScanner();
        scanner.expectAnswer(false);
        scan(scanner, "HTTP/1.1 200 OK\r\n\r\nhello", 1);
        assertEquals(State.UNTRACKED, scanner.state());
    }
}
