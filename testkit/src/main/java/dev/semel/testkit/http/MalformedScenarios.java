package dev.semel.testkit.http;

import static dev.semel.testkit.http.Scenario.scenario;

import java.util.List;

/** What is no HTTP is refused, and nothing that hides in it gets through. */
final class MalformedScenarios {
    private static final String LINE = "POST /required/charges HTTP/1.1\r\n";
    private static final String HOST = "Host: {host}\r\n";
    private static final String KEY = "X-Scenario: {scenario}\r\nIdempotency-Key: {key}\r\n";
    private static final String START = LINE + HOST + KEY;
    private static final String BODY = "Content-Length: 2\r\n\r\n{}";
    private static final String CHUNKED = START + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String LAST_CHUNK = "0\r\n\r\n";

    /** A good request behind the bad one: whoever loses count of the bytes lets it through. */
    private static final String HIDDEN =
            LINE + HOST + "X-Scenario: {scenario}\r\nIdempotency-Key: {key}-hidden\r\n" + BODY;

    private static final Integer[] REFUSALS = {400, 413, 414, 431, 501, 505};

    private MalformedScenarios() {}

    static List<Scenario> all() {
        return List.of(
                refused(
                        "a length and chunks",
                        START + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + LAST_CHUNK),
                refused(
                        "chunks and a length",
                        START + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n" + LAST_CHUNK),
                refused("two lengths that differ", START + "Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}"),
                refused("a list of lengths", START + "Content-Length: 2, 5\r\n\r\n{}"),
                refused("a length with a sign", START + "Content-Length: +2\r\n\r\n{}"),
                refused("a negative length", START + "Content-Length: -1\r\n\r\n"),
                refused("a hexadecimal length", START + "Content-Length: 0x2\r\n\r\n{}"),
                refused("an empty length", START + "Content-Length:\r\n\r\n"),
                refused("a length beyond counting", START + "Content-Length: 99999999999999999999\r\n\r\n{}"),
                refused("an unknown coding", START + "Transfer-Encoding: xchunked\r\n\r\n" + LAST_CHUNK),
                refused("identity, then chunks", START + "Transfer-Encoding: identity, chunked\r\n\r\n" + LAST_CHUNK),
                refused("chunks, then another coding", START + "Transfer-Encoding: chunked, gzip\r\n\r\n" + LAST_CHUNK),
                refused(
                        "chunks, twice",
                        START + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + LAST_CHUNK),
                refused("chunks with a vertical tab", START + "Transfer-Encoding: \u000bchunked\r\n\r\n" + LAST_CHUNK),
                refused(
                        "chunks in HTTP/1.0",
                        START.replace("HTTP/1.1", "HTTP/1.0") + "Transfer-Encoding: chunked\r\n\r\n" + LAST_CHUNK),
                refused("a chunk size that is none", CHUNKED + "zz\r\n{}\r\n" + LAST_CHUNK),
                refused("a negative chunk size", CHUNKED + "-2\r\n{}\r\n" + LAST_CHUNK),
                refused("a chunk size beyond counting", CHUNKED + "fffffffffffffffff\r\n{}\r\n" + LAST_CHUNK),
                refused("a chunk size as 0x2", CHUNKED + "0x2\r\n{}\r\n" + LAST_CHUNK),
                refused("a chunk without its end", CHUNKED + "2\r\n{}XX0\r\n\r\n"),
                refused("a chunk extension with a bare LF", CHUNKED + "2;a\n{}\r\n" + LAST_CHUNK),
                refused(
                        "a chunk extension of 100 KB",
                        CHUNKED + "2;" + "y".repeat(100_000) + "\r\n{}\r\n" + LAST_CHUNK),
                refused("100 KB of trailers", CHUNKED + "0\r\n" + "X-Y: 0123456789\r\n".repeat(6_000) + "\r\n"),
                refused("a chunk size with a space", CHUNKED + " 2\r\n{}\r\n" + LAST_CHUNK),
                refused("a chunk with a bare LF", CHUNKED + "2\n{}\r\n" + LAST_CHUNK),
                refused("a chunk that ends with a bare LF", CHUNKED + "2\r\n{}\n" + LAST_CHUNK),
                refused(
                        "a space before the colon of chunks",
                        START + "Transfer-Encoding : chunked\r\n\r\n" + LAST_CHUNK),
                refused("a tab before the colon", START + "Content-Length\t: 2\r\n\r\n{}"),
                refused("chunks in quotes", START + "Transfer-Encoding: \"chunked\"\r\n\r\n" + LAST_CHUNK),
                refused("chunks, and nothing", START + "Transfer-Encoding: chunked,\r\n\r\n" + LAST_CHUNK),
                refused("a coding without a name", START + "Transfer-Encoding:\r\n\r\n" + LAST_CHUNK),
                refused("a space before the colon", START + "Content-Length : 2\r\n\r\n{}"),
                refused("a space in a name", START + "X Y: 1\r\n" + BODY),
                refused("a header without a name", START + ": 1\r\n" + BODY),
                refused("a header without a colon", START + "rubbish\r\n" + BODY),
                refused("a bare LF after a header", START + "X-Y: 1\nContent-Length: 2\r\n\r\n{}"),
                refused("a bare CR in a value", START + "X-Y: 1\rX-Z: 2\r\n" + BODY),
                refused("a folded header", START + "X-Y: 1\r\n  2\r\n" + BODY),
                refused("a folded header with a tab", START + "X-Y: 1\r\n\t2\r\n" + BODY),
                refused("a fold that hides a length", START + "X-Y: 1\r\n Content-Length: 2\r\n\r\n{}"),
                refused("a fold before the first header", LINE + " X-Y: 1\r\n" + HOST + KEY + BODY),
                refused("NUL in a value", START + "X-Y: a\u0000b\r\n" + BODY),
                refused("NUL in a name", START + "X\u0000Y: 1\r\n" + BODY),
                refused("a header of 100 KB", START + "X-Y: " + "y".repeat(100_000) + "\r\n" + BODY),
                refused("4,000 headers", START + "X:\r\n".repeat(4_000) + BODY),
                refused("100 KB of headers", START + "X-Y: 0123456789\r\n".repeat(6_000) + BODY),
                refused("a target of 100 KB", START.replace("charges", "charges?" + "y".repeat(100_000)) + BODY),
                refused("a space in the target", START.replace("charges", "char ges") + BODY),
                refused("a vertical tab after the method", START.replace("POST ", "POST\u000b") + BODY),
                refused("a CR after the method", START.replace("POST ", "POST\r ") + BODY),
                refused("a tab after the method", START.replace("POST ", "POST\t") + BODY),
                refused("two spaces after the method", START.replace("POST ", "POST  ") + BODY),
                refused("a target of two lines, and an unknown version", "GET /a\nb H#TP/1.1\r\n" + HOST + "\r\n"),
                refused("a request line without a version", START.replace(" HTTP/1.1", "") + BODY),
                refused("an unknown version", START.replace("HTTP/1.1", "HTTP/9.1") + BODY),
                refused("another protocol's version", START.replace("HTTP/1.1", "ICY/1.1") + BODY),
                refused("a method that is no token", START.replace("POST", "PO(ST") + BODY),
                refused("no HTTP at all", "HELO mail.example.com\r\n\r\n"),
                refused("a TLS greeting", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n"),
                refusedLater("a folded header", START + "X-Y: 1\r\n  2\r\n" + BODY),
                refusedLater(
                        "a length and chunks",
                        START + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + LAST_CHUNK),
                refusedLater(
                        "HTTP/2, and a folded header behind it",
                        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + START + "X-Y: 1\r\n  2\r\n" + BODY),
                refusedLater("no HTTP at all", "HELO mail.example.com\r\n\r\n"),
                notForwarded("a tunnel", START.replace("POST", "CONNECT") + BODY),
                notForwarded("no Host", LINE + KEY + BODY),
                notForwarded("two Hosts", START + "Host: other\r\n" + BODY),
                notForwarded("the same Host twice", START + HOST + BODY),
                notForwarded("a Host that is none", LINE + "Host: a b\r\n" + KEY + BODY),
                notForwarded("a Host with a path", LINE + "Host: a/b\r\n" + KEY + BODY));
    }

    /** Where the message ends is unclear, so nothing more may be read from the connection. */
    private static Scenario refused(String what, String bytes) {
        return scenario("refused: " + what)
                .refuses(bytes + HIDDEN, REFUSALS)
                .reached(0)
                .effects(0);
    }

    /** The same on a connection that was used before. */
    private static Scenario refusedLater(String what, String bytes) {
        RawRequest good =
                RawRequest.charge("/required/charges").key("{key}-good").inChunksOf(9);
        return scenario("refused in the second request of a connection: " + what)
                .refusesAfter(good, bytes + HIDDEN, REFUSALS)
                .reached(1)
                .effects(1);
    }

    /** Where the message ends is clear, but it must not be passed on. */
    private static Scenario notForwarded(String what, String bytes) {
        return scenario("refused: " + what)
                .sendBytes(bytes, Expect.status(400))
                .reached(0)
                .effects(0);
    }
}
