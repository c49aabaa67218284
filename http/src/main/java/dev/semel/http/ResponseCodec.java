package dev.semel.http;

import dev.semel.core.key.Outcome;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes a response as the outcome of a key, and reads it back, header order and letter case included.
 *
 * <p>Format 1: one byte 1; one byte of flags (1: the body was not kept); the status in two bytes; the number of header
 * fields; for each field the length of the name, the name, the length of the value, the value; the length of the body;
 * the body. Numbers take seven bits per byte, lowest first, the eighth says that more follow; text is UTF-8.
 *
 * <p>A change needs a new number in front, and the old numbers must stay readable: outcomes outlive upgrades.
 */
public final class ResponseCodec {
    private static final int FORMAT = Outcome.Format.RESPONSE.number();
    static final int BODY_NOT_KEPT = 1;

    /** Format, flags and status: what a replay can still tell when the key of an encrypted outcome is gone. */
    private static final int CLEAR_BYTES = 4;

    private static final int LOWEST_STATUS = 200;
    private static final int HIGHEST_STATUS = 999;
    private static final int HEAD_BYTES = 256;

    private ResponseCodec() {}

    /** The body is copied once; nothing else of its size is allocated. */
    public static Outcome encode(StoredResponse stored) {
        HttpResponse response = stored.response();
        byte[] body = response.body();
        byte[] head = head(response, stored.bodyKept() ? 0 : BODY_NOT_KEPT);
        byte[] bytes = Arrays.copyOf(head, Math.addExact(head.length, body.length));
        System.arraycopy(body, 0, bytes, head.length, body.length);
        return Outcome.ofEncoded(bytes, CLEAR_BYTES);
    }

    private static byte[] head(HttpResponse response, int flags) {
        if (!isStatus(response.status()))
            throw new IllegalArgumentException(
                    "Only a final response can be recorded, not status " + response.status());
        ByteArrayOutputStream out = new ByteArrayOutputStream(HEAD_BYTES);
        out.write(FORMAT);
        out.write(flags);
        out.write(response.status() >>> 8);
        out.write(response.status());
        number(out, response.headers().size());
        for (Headers.Field field : response.headers()) {
            text(out, field.name());
            text(out, field.value());
        }
        number(out, response.body().length);
        return out.toByteArray();
    }

    private static void text(ByteArrayOutputStream out, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        number(out, utf8.length);
        out.writeBytes(utf8);
    }

    private static void number(ByteArrayOutputStream out, int number) {
        int rest = number;
        for (; rest > 0x7f; rest >>>= 7) out.write(rest | 0x80);
        out.write(rest);
    }

    /**
     * Reads what {@link #encode} wrote. Of a shredded outcome only the status is left.
     *
     * @throws UnreadableOutcomeException when the bytes are anything else, without allocating more than their size
     */
    public static StoredResponse decode(Outcome outcome) {
        ResponseReader in = new ResponseReader(outcome.readable());
        int format = in.octet();
        if (format == Outcome.SEALED)
            throw new UnreadableOutcomeException(
                    "The recorded response is encrypted, and no key to open it is configured.");
        if (format != FORMAT)
            throw new UnreadableOutcomeException("The recorded response has format " + format
                    + ", and this version of Semel reads only format " + FORMAT + ".");
        int flags = in.octet();
        if (flags > BODY_NOT_KEPT) throw new UnreadableOutcomeException("The recorded response has unknown flags.");
        int status = in.octet() << 8 | in.octet();
        if (!isStatus(status)) throw new UnreadableOutcomeException("The recorded response has status " + status + ".");
        if (outcome.isShredded()) return StoredResponse.withoutBody(status, Headers.NONE);
        Headers headers = in.headers();
        HttpResponse response = new HttpResponse(status, headers, in.body());
        return new StoredResponse(response, flags != BODY_NOT_KEPT);
    }

    /** A recorded response with no more than its status and headers; of any other outcome, what is in the clear. */
    public static Outcome withoutBody(Outcome stored) {
        if (stored.isShredded() || stored.format() != Outcome.Format.RESPONSE) return stored.clearPart();
        HttpResponse response = decode(stored).response();
        return encode(StoredResponse.withoutBody(response.status(), response.headers()));
    }

    private static boolean isStatus(int status) {
        return status >= LOWEST_STATUS && status <= HIGHEST_STATUS;
    }
}
