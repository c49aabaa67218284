package dev.semel.broker.sqs;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A payload as text, which is all that SQS takes, and never empty: as it is when it is UTF-8 of characters that SQS takes, and in base64
 * if not.
 *
 * @param encoding null for none; {@code base64}; or {@code empty}, when the text stands for no byte at all
 */
record BodyText(String text, @Nullable String encoding) {
    /** The attribute that names the encoding. */
    static final String ENCODING = "semel-encoding";

    private static final String BASE64 = "base64";
    private static final String EMPTY = "empty";

    static BodyText of(byte[] payload) {
        if (payload.length == 0) return new BodyText("-", EMPTY);
        String text = text(payload);
        return text == null
                ? new BodyText(Base64.getEncoder().encodeToString(payload), BASE64)
                : new BodyText(text, null);
    }

    private static @Nullable String text(byte[] payload) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString();
            return text.codePoints().allMatch(BodyText::isTaken) ? text : null;
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** A carriage return is taken too, but what passes XML may lose it. */
    private static boolean isTaken(int c) {
        return c == '\t' || c == '\n' || (c >= 0x20 && c <= 0xd7ff) || (c >= 0xe000 && c <= 0xfffd) || c >= 0x10000;
    }

    /** @throws IllegalArgumentException when the text is not what the encoding says */
    byte[] payload() {
        return switch (encoding) {
            case null -> text.getBytes(StandardCharsets.UTF_8);
            case BASE64 -> Base64.getDecoder().decode(text);
            case EMPTY -> new byte[0];
            default -> throw new IllegalArgumentException("The encoding of the body is not known: " + encoding);
        };
    }
}
