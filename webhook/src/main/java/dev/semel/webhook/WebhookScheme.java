package dev.semel.webhook;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a sender signs its webhooks. Verified are the raw bytes of the body, as they came; signatures are compared in a time that
 * does not depend on them; of several secrets any may fit, so that they can be changed without a gap.
 */
public sealed interface WebhookScheme {
    /** For how long a signature counts, and by how much clocks may differ. */
    Duration TOLERANCE = Duration.ofMinutes(5);

    /** A body of many signatures costs time for each. */
    int MOST_SIGNATURES = 16;

    /**
     * @param header the value of a header by its name in lower case, null when it is missing; several of one name are joined by
     *     {@code ", "}
     * @param body every byte of it
     */
    Verification verify(Function<String, @Nullable String> header, byte[] body, Instant now);

    /** Standard Webhooks: {@code webhook-id}, {@code webhook-timestamp}, {@code webhook-signature}. */
    record Standard(List<SigningKey> keys, Duration tolerance) implements WebhookScheme {
        public Standard {
            keys = List.copyOf(keys);
            requireSome(keys);
            requireTime(tolerance);
            if (keys.stream().anyMatch(SigningKey.Private.class::isInstance))
                throw new IllegalArgumentException(
                        "A private key (whsk_) signs; webhooks are verified with its public one (whpk_).");
        }

        @Override
        public Verification verify(Function<String, @Nullable String> header, byte[] body, Instant now) {
            String id = header.apply("webhook-id");
            String time = header.apply("webhook-timestamp");
            String signatures = header.apply("webhook-signature");
            if (id == null || id.isEmpty() || time == null || signatures == null)
                return new Verification.Rejected("webhook-id, webhook-timestamp or webhook-signature is missing");
            // What is signed is id.time.body: with a full stop in the id, another id and another time would fit too.
            if (id.indexOf('.') >= 0) return new Verification.Rejected("webhook-id holds a full stop");
            Instant sentAt = seconds(time);
            if (sentAt == null) return new Verification.Rejected("webhook-timestamp is not a number of seconds");
            if (isFar(sentAt, now, tolerance))
                return new Verification.Rejected("webhook-timestamp is too far from now");
            byte[] signed = signed(id, time, body);
            List<String> given = parts(signatures, " ");
            for (SigningKey key : keys) if (anyFits(key, given, signed)) return new Verification.Genuine(id, sentAt);
            return new Verification.Rejected("no signature fits");
        }

        /** Signs once for each key, however many signatures somebody sends. */
        private static boolean anyFits(SigningKey key, List<String> signatures, byte[] signed) {
            return switch (key) {
                case SigningKey.Public(PublicKey verifying) ->
                    signatures.stream()
                            .filter(it -> it.startsWith("v1a,"))
                            .anyMatch(it -> fits(verifying, it.substring(4), signed));
                case SigningKey.Shared it -> {
                    byte[] expected = SigningKey.utf8(it.sign(signed));
                    yield signatures.stream().anyMatch(each -> equal(expected, SigningKey.utf8(each)));
                }
                case SigningKey.Private it -> false;
            };
        }

        private static boolean fits(PublicKey key, String base64, byte[] signed) {
            try {
                Signature signature = Signature.getInstance("Ed25519");
                signature.initVerify(key);
                signature.update(signed);
                return signature.verify(Base64.getDecoder().decode(base64));
            } catch (GeneralSecurityException | IllegalArgumentException e) {
                return false;
            }
        }
    }

    /** Stripe: {@code Stripe-Signature: t=…,v1=…}, signed with the endpoint's secret; the id is that of the event. */
    record Stripe(List<String> secrets, Duration tolerance, EventId eventId) implements WebhookScheme {
        public Stripe {
            secrets = List.copyOf(secrets);
            requireSecrets(secrets);
            requireTime(tolerance);
        }

        /** Without the secrets. */
        @Override
        public String toString() {
            return "webhooks of Stripe, " + secrets.size() + " secret(s)";
        }

        @Override
        public Verification verify(Function<String, @Nullable String> header, byte[] body, Instant now) {
            String value = header.apply("stripe-signature");
            if (value == null) return new Verification.Rejected("Stripe-Signature is missing");
            String time = null;
            List<String> signatures = new ArrayList<>();
            for (String part : parts(value, ",")) {
                if (part.startsWith("v1=")) signatures.add(part.substring(3));
                if (!part.startsWith("t=")) continue;
                if (time != null) return new Verification.Rejected("Stripe-Signature has two times");
                time = part.substring(2);
            }
            Instant sentAt = time == null ? null : seconds(time);
            if (sentAt == null) return new Verification.Rejected("Stripe-Signature has no time");
            if (isFar(sentAt, now, tolerance)) return new Verification.Rejected("its time is too far from now");
            byte[] signed = join(SigningKey.utf8(time + "."), body);
            if (!anyFits(secrets, signatures, signed)) return new Verification.Rejected("no signature fits");
            String id = eventId.of(body);
            return id == null ? new Verification.Rejected("the event has no id") : new Verification.Genuine(id, sentAt);
        }
    }

    /**
     * GitHub: {@code X-Hub-Signature-256} over the body, {@code X-GitHub-Delivery}. It says no time: an old one can be sent again
     * by whoever has seen it, and only its id tells. The id is not signed either.
     */
    record GitHub(List<String> secrets) implements WebhookScheme {
        private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,128}");

        public GitHub {
            secrets = List.copyOf(secrets);
            requireSecrets(secrets);
        }

        /** Without the secrets. */
        @Override
        public String toString() {
            return "webhooks of GitHub, " + secrets.size() + " secret(s)";
        }

        @Override
        public Verification verify(Function<String, @Nullable String> header, byte[] body, Instant now) {
            String signature = header.apply("x-hub-signature-256");
            String id = header.apply("x-github-delivery");
            if (signature == null || id == null)
                return new Verification.Rejected("X-Hub-Signature-256 or X-GitHub-Delivery is missing");
            if (!ID.matcher(id).matches()) return new Verification.Rejected("X-GitHub-Delivery is no id");
            if (!signature.startsWith("sha256=") || !anyFits(secrets, List.of(signature.substring(7)), body))
                return new Verification.Rejected("the signature does not fit");
            return new Verification.Genuine(id, null);
        }
    }

    /** Finds the id of an event in its body. */
    @FunctionalInterface
    interface EventId {
        @Nullable
        String of(byte[] body);
    }

    /** What is signed by Standard Webhooks. */
    static byte[] signed(String id, String time, byte[] body) {
        return join(SigningKey.utf8(id + "." + time + "."), body);
    }

    private static boolean anyFits(List<String> secrets, List<String> signatures, byte[] signed) {
        List<byte[]> given = signatures.stream()
                .map(WebhookScheme::hex)
                .filter(Objects::nonNull)
                .toList();
        for (String secret : secrets) {
            byte[] expected = SigningKey.hmac(SigningKey.utf8(secret), signed);
            for (byte[] signature : given) if (equal(expected, signature)) return true;
        }
        return false;
    }

    /** Letters of either case; null when it is no hexadecimal number. */
    private static byte @Nullable [] hex(String text) {
        try {
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean equal(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }

    private static boolean isFar(Instant sentAt, Instant now, Duration tolerance) {
        return Duration.between(sentAt, now).abs().compareTo(tolerance) > 0;
    }

    private static @Nullable Instant seconds(String text) {
        if (!text.matches("[0-9]{1,11}")) return null;
        return Instant.ofEpochSecond(Long.parseLong(text));
    }

    private static List<String> parts(String text, String separator) {
        return List.of(text.split(separator, MOST_SIGNATURES + 1)).stream()
                .limit(MOST_SIGNATURES)
                .map(String::strip)
                .toList();
    }

    private static byte[] join(byte[] head, byte[] body) {
        byte[] whole = new byte[head.length + body.length];
        System.arraycopy(head, 0, whole, 0, head.length);
        System.arraycopy(body, 0, whole, head.length, body.length);
        return whole;
    }

    private static void requireSome(List<?> keys) {
        if (keys.isEmpty()) throw new IllegalArgumentException("Without a secret no webhook can be verified.");
    }

    private static void requireSecrets(List<String> secrets) {
        requireSome(secrets);
        if (secrets.stream().anyMatch(String::isBlank))
            throw new IllegalArgumentException("A webhook secret is empty: anybody could sign with it.");
    }

    private static void requireTime(Duration tolerance) {
        if (tolerance.isNegative() || tolerance.isZero())
            throw new IllegalArgumentException(
                    "A webhook is some time under way: a tolerance of " + tolerance + " would refuse every one.");
    }
}
