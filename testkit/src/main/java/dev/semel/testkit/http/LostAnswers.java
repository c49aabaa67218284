package dev.semel.testkit.http;

import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;

/** Behaviours of the upstream that end without a whole answer, with or without an effect before. */
final class LostAnswers {
    private LostAnswers() {}

    static void bigHalf(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        byte[] body = Bytes.made(Integer.parseInt(Objects.requireNonNull(call.parameter("bytes"))));
        call.head(200, Fields.of("Content-Length", "" + body.length));
        call.write(Arrays.copyOf(body, body.length / 2));
        call.hangUp();
    }

    static void diesAtGate(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.stopAtGate();
        call.hangUp();
    }

    static void never(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.fallSilent();
    }

    static void stalls(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.head(201, Fields.of("Content-Length", "100"));
        call.write(new byte[50]);
        call.fallSilent();
    }

    static void diesBefore(UpstreamCall call) throws IOException {
        call.body();
        call.hangUp();
    }

    static void diesInBody(UpstreamCall call) throws IOException {
        call.beginningOfBody(1000);
        call.reset();
    }

    static void diesAfter(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.hangUp();
    }

    static void resetsAfter(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.reset();
    }

    static void halfHead(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.write(Wire.latin1("HTTP/1.1 201 Created\r\nContent-Le"));
        call.hangUp();
    }

    static void halfAnswer(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.head(201, Fields.of("Content-Length", "100"));
        call.write(new byte[50]);
        call.reset();
    }

    static void shortAnswer(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.head(201, Fields.of("Content-Length", "100"));
        call.write(new byte[50]);
        call.hangUp();
    }

    static void halfChunks(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.head(201, Fields.of("Transfer-Encoding", "chunked"));
        call.write(Wire.latin1("5\r\nhello\r\n5\r\nhe"));
        call.hangUp();
    }

    static void rubbish(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        call.write(Wire.latin1("220 mail.example.com ESMTP ready\r\n\r\n"));
        call.hangUp();
    }
}
