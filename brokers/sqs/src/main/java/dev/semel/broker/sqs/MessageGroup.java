package dev.semel.broker.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.messaging.message.OutgoingMessage;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** The group of a message in a FIFO queue: its key, or a hash of a key that SQS does not take. Without a key it is alone in its own. */
final class MessageGroup {
    private static final String HASHED = "semel:";
    private static final Pattern GROUP = Pattern.compile("[!-~]{1,128}");

    private MessageGroup() {}

    static String of(OutgoingMessage message) {
        String key = message.key();
        if (key == null) return message.id().toString();
        // A key that looks like a hash is hashed too: two keys never share a group.
        return GROUP.matcher(key).matches() && !key.startsWith(HASHED) ? key : HASHED + hash(key);
    }

    private static String hash(String key) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
