package dev.semel.testkit.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;

/** Behaviours of the upstream that end in a whole answer, in every form that HTTP has for one. */
final class FullAnswers {
    private FullAnswers() {}

    /** The good case, with every kind of header there is. */
    static void charge(UpstreamCall call) throws IOException {
        byte[] asked = call.body();
        int number = call.numberedEffect();
        call.answer(
                201,
                chargeHeaders(number),
                Bytes.utf8("{\"id\":\"ch_" + number + "\",\"bytes\":" + asked.length + "}"));
    }

    private static Fields chargeHeaders(int number) {
        return Fields.of(
                "Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)),
                "Content-Type", "application/json",
                "Location", "/charges/ch_" + number,
                "ETag", "\"ch_" + number + "\"",
                "X-Cost", "42",
                "X-Step", "one",
                "X-Step", "two",
                "Set-Cookie", "session=secret-" + number + "; Path=/, HttpOnly",
                "Set-Cookie", "other=1",
                "Connection", "X-Hop",
                "X-Hop", "for the next one only",
                "Keep-Alive", "timeout=60");
    }

    /** {@code status/NNN}: an effect and that status. */
    static void status(UpstreamCall call) throws IOException {
        call.body();
        int number = call.numberedEffect();
        boolean empty = call.segment(2).equals("205");
        byte[] body = empty ? new byte[0] : Bytes.utf8("{\"number\":" + number + "}");
        call.answer(
                Integer.parseInt(call.segment(2)),
                Fields.of("Content-Type", "application/json", "X-Number", "" + number),
                body);
    }

    /** {@code outcome/WORD/NNN}: that status, and the word in Semel-Outcome. */
    static void outcome(UpstreamCall call) throws IOException {
        call.body();
        int number = call.numberedEffect();
        call.answer(
                Integer.parseInt(call.segment(3)),
                Fields.of("Semel-Outcome", call.segment(2), "X-Number", "" + number),
                Bytes.utf8("outcome " + number));
    }

    /** 503 and no effect to a first attempt; the good case to later ones. */
    static void refuseOnce(UpstreamCall call) throws IOException {
        call.body();
        if ("1".equals(call.request().headers().first("Semel-Attempt")))
            call.answer(503, Fields.of("Retry-After", "1", "Content-Type", "text/plain"), Bytes.utf8("not now"));
        else charge(call);
    }

    /** Gives back the very bytes it got. */
    static void binary(UpstreamCall call) throws IOException {
        byte[] body = call.body();
        call.effect();
        call.answer(200, Fields.of("Content-Type", "application/octet-stream"), body);
    }

    static void chunked(UpstreamCall call) throws IOException {
        call.body();
        int number = call.numberedEffect();
        call.head(201, Fields.of("Transfer-Encoding", "chunked", "Content-Type", "text/plain"));
        Bytes body = new Bytes();
        RawRequest.chunks(Bytes.utf8("a body in many chunks, number " + number), 7, body);
        call.write(body.all());
    }

    /** A body without a length, which the end of the connection ends: all of it is there. */
    static void untilClose(UpstreamCall call) throws IOException {
        call.body();
        int number = call.numberedEffect();
        call.head(201, Fields.of("Connection", "close", "Content-Type", "text/plain"));
        call.write(Bytes.utf8("until the end, number " + number));
        call.hangUp();
    }

    /** Closes the connection without having said so, as servers do with those they think idle. */
    static void answersAndLeaves(UpstreamCall call) throws IOException {
        charge(call);
        call.hangUp();
    }

    static void gzip(UpstreamCall call) throws IOException {
        call.body();
        int number = call.numberedEffect();
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(Bytes.utf8("packed, number " + number));
        }
        call.answer(201, Fields.of("Content-Encoding", "gzip", "Content-Type", "text/plain"), packed.toByteArray());
    }

    static void oddHeaders(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        Fields headers = Fields.of(
                "X-Empty", "",
                "X-Latin", "caf\u00e9",
                "X-Comma", "a, b",
                "X-Comma", "c",
                "X-Colon", "a: b: \"c\"; d=e",
                "X-Long", "l".repeat(6000),
                "Warning", "199 - \"odd\"",
                "Authorization", "Basic c2VjcmV0",
                "WWW-Authenticate", "Basic realm=\"secret\"",
                "Proxy-Authenticate", "Basic realm=\"hop\"");
        call.answer(200, headers, Bytes.utf8("odd"));
    }

    /** Uses the names that Semel uses towards clients. */
    static void imitates(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        Fields headers = Fields.of("Idempotent-Replayed", "true", "Idempotency-Expires", "never");
        call.answer(201, headers, Bytes.utf8("imitated"));
    }

    static void hints(UpstreamCall call) throws IOException {
        call.body();
        call.head(103, Fields.of("Link", "</style.css>; rel=preload"));
        charge(call);
    }

    /** The answer is on its way before the body of the request was read. */
    static void early(UpstreamCall call) throws IOException {
        int number = call.numberedEffect();
        call.answerJson(201, "{\"early\":" + number + "}");
    }

    /** {@code ?bytes=N}, and {@code &chunked} for a length that is not announced. */
    static void big(UpstreamCall call) throws IOException {
        call.body();
        call.effect();
        byte[] body = Bytes.made(Integer.parseInt(Objects.requireNonNull(call.parameter("bytes"))));
        Fields headers = Fields.of("Content-Type", "application/octet-stream", "X-Size", "" + body.length);
        if (call.parameter("chunked") == null) {
            call.answer(200, headers, body);
        } else {
            call.head(200, headers.with("Transfer-Encoding", "chunked"));
            Bytes chunks = new Bytes();
            RawRequest.chunks(body, 1000, chunks);
            call.write(chunks.all());
        }
    }

    static void gate(UpstreamCall call) throws IOException {
        call.body();
        int number = call.numberedEffect();
        call.stopAtGate();
        call.answer(201, chargeHeaders(number), Bytes.utf8("{\"id\":\"ch_" + number + "\"}"));
    }

    static void refuseAtGate(UpstreamCall call) throws IOException {
        call.body();
        call.stopAtGate();
        refuseOnce(call);
    }

    /** The first half of the body, then the gate, then the rest. */
    static void stream(UpstreamCall call) throws IOException {
        call.head(200, Fields.of("Transfer-Encoding", "chunked"));
        call.write(Wire.latin1("5\r\nfirst\r\n"));
        call.stopAtGate();
        call.body();
        call.write(Wire.latin1("4\r\nlast\r\n0\r\n\r\n"));
    }
}
