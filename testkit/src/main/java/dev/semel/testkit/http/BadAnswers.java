package dev.semel.testkit.http;

import java.io.IOException;

/** Behaviours of an upstream that answers, but not as it should. All have an effect first. */
final class BadAnswers {
    private static final int PAUSE_MILLIS = 20;
    private static final byte[] KILOBYTE = Wire.latin1("x".repeat(1024));

    private BadAnswers() {}

    /** A byte of the body now and then, without end. */
    static void trickles(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.head(201, Fields.of("Content-Length", "100000"));
        while (!call.isGoneWithin(PAUSE_MILLIS)) call.write(Wire.latin1("x"));
    }

    /** A byte of the head now and then, without end. */
    static void tricklesHead(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.write(Wire.latin1("HTTP/1.1 201 Created\r\nX-Long: "));
        while (!call.isGoneWithin(PAUSE_MILLIS)) call.write(Wire.latin1("x"));
    }

    /** More than any limit at first, then a byte now and then, without end. */
    static void tricklesALot(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.head(201, Fields.of("Content-Length", "100000000"));
        call.write(new byte[5_000_000]);
        while (!call.isGoneWithin(PAUSE_MILLIS)) call.write(Wire.latin1("x"));
    }

    /** Interim answers without end. */
    static void alwaysContinues(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        while (!call.isGoneWithin(PAUSE_MILLIS)) call.head(100, Fields.NONE);
    }

    static void continuesFirst(UpstreamCall call) throws IOException {
        call.head(100, Fields.NONE);
        call.body();
        call.head(102, Fields.NONE);
        call.head(103, Fields.of("Link", "</style.css>; rel=preload"));
        FullAnswers.charge(call);
    }

    /** Answers without having read the body, and leaves. */
    static void earlyAndLeaves(UpstreamCall call) throws IOException {
        call.beginningOfBody(1000);
        int number = call.numberedEffect();
        call.answer(201, Fields.of("Connection", "close"), Bytes.utf8("{\"early\":" + number + "}"));
        call.hangUp();
    }

    /** Another answer behind the answer, which nobody asked for. */
    static void saysMore(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.write(Wire.latin1("HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\ntruly"
                + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen"));
    }

    static void longerThanSaid(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.write(Wire.latin1("HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\ntruly and more than was said"));
    }

    static void endlessHeaders(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.write(Wire.latin1("HTTP/1.1 201 Created\r\n"));
        while (true) call.write(Wire.latin1("X-More: and more\r\n"));
    }

    static void endlessHeader(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.write(Wire.latin1("HTTP/1.1 201 Created\r\nX-Long: "));
        while (true) call.write(KILOBYTE);
    }

    static void endlessStatusLine(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.write(Wire.latin1("HTTP/1.1 201 "));
        while (true) call.write(KILOBYTE);
    }

    static void endlessChunkExtension(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.head(201, Fields.of("Transfer-Encoding", "chunked"));
        call.write(Wire.latin1("5;x="));
        while (true) call.write(KILOBYTE);
    }

    /** {@code raw/NAME}: an answer with that flaw. */
    static void raw(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        String flawed = switch (call.segment(2)) {
            case "two-lengths" -> "Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}...";
            case "negative-length" -> "Content-Length: -2\r\n\r\n{}";
            case "length-beyond-counting" -> "Content-Length: 99999999999999999999\r\n\r\n{}";
            case "chunk-size" -> "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n";
            case "chunk-beyond-counting" -> "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n0\r\n\r\n";
            case "chunk-without-end" -> "Transfer-Encoding: chunked\r\n\r\n2\r\n{}XX0\r\n\r\n";
            case "nul" -> "X-Nul: a\u0000b\r\nContent-Length: 2\r\n\r\n{}";
            case "bare-cr" -> "X-Cr: a\rb\r\nContent-Length: 2\r\n\r\n{}";
            default -> "rubbish\r\n\r\n";
        };
        call.write(Wire.latin1("HTTP/1.1 201 Created\r\n" + flawed));
        call.hangUp();
    }
}
