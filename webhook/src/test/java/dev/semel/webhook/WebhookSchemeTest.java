package dev.semel.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WebhookSchemeTest {
    /** From the specification of Standard Webhooks. */
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    private static final String TIME = "1614265330";
    private static final String SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(UTF_8);
    private static final Instant NOW = Instant.ofEpochSecond(1614265330);

    private final WebhookScheme.Standard standard =
            new WebhookScheme.Standard(List.of(SigningKey.parse(SECRET)), WebhookScheme.TOLERANCE);

    @Test
    void the_example_of_the_specification_is_signed_and_verified() {
        assertEquals(SIGNATURE, SigningKey.parse(SECRET).sign(WebhookScheme.signed(ID, TIME, BODY)));
        assertEquals(new Verification.Genuine(ID, NOW), standard.verify(headers()::get, BODY, NOW));
    }

    @Test
    void whatever_is_changed_does_not_fit_any_more() {
        byte[] other = BODY.clone();
        other[3] ^= 1;
        assertRejected(standard.verify(headers()::get, other, NOW));
        for (String header : List.of("webhook-id", "webhook-timestamp", "webhook-signature")) {
            Map<String, String> changed = headers();
            changed.put(header, header.equals("webhook-timestamp") ? "1614265331" : changed.get(header) + "x");
            assertRejected(standard.verify(changed::get, BODY, NOW));
            changed.remove(header);
            assertRejected(standard.verify(changed::get, BODY, NOW));
        }
    }

    @Test
    void a_time_that_is_too_far_is_refused_either_way() {
        assertRejected(standard.verify(headers()::get, BODY, NOW.plus(Duration.ofMinutes(6))));
        assertRejected(standard.verify(headers()::get, BODY, NOW.minus(Duration.ofMinutes(6))));
        assertInstanceOf(
                Verification.Genuine.class, standard.verify(headers()::get, BODY, NOW.plus(Duration.ofMinutes(4))));
        for (String time : List.of("", "x", "-1", "99999999999999999999", "1614265330.5")) {
            Map<String, String> changed = headers();
            changed.put("webhook-timestamp", time);
            assertRejected(standard.verify(changed::get, BODY, NOW));
        }
    }

    @Test
    void while_secrets_change_both_fit() {
        SigningKey next = SigningKey.parse(SigningKey.newSecret());
        Map<String, String> both = headers();
        both.put("webhook-signature", next.sign(WebhookScheme.signed(ID, TIME, BODY)) + " " + SIGNATURE);
        assertInstanceOf(Verification.Genuine.class, standard.verify(both::get, BODY, NOW));
        WebhookScheme receiver =
                new WebhookScheme.Standard(List.of(next, SigningKey.parse(SECRET)), WebhookScheme.TOLERANCE);
        assertInstanceOf(Verification.Genuine.class, receiver.verify(headers()::get, BODY, NOW));
    }

    @Test
    void ed25519_signs_and_verifies() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        SigningKey signs = SigningKey.parse("whsk_" + raw(pair.getPrivate().getEncoded()));
        SigningKey verifies = SigningKey.parse("whpk_" + raw(pair.getPublic().getEncoded()));
        Map<String, String> headers = headers();
        headers.put("webhook-signature", signs.sign(WebhookScheme.signed(ID, TIME, BODY)));
        WebhookScheme scheme = new WebhookScheme.Standard(List.of(verifies), WebhookScheme.TOLERANCE);
        assertInstanceOf(Verification.Genuine.class, scheme.verify(headers::get, BODY, NOW));
        assertRejected(scheme.verify(headers::get, "other".getBytes(UTF_8), NOW));
        headers.put("webhook-signature", "v1a,not base64");
        assertRejected(scheme.verify(headers::get, BODY, NOW));
    }

    @Test
    void stripe_and_github() {
        byte[] body = "{\"id\": \"evt_1\"}".getBytes(UTF_8);
        WebhookScheme stripe =
                new WebhookScheme.Stripe(List.of("whsec_old", "whsec_new"), WebhookScheme.TOLERANCE, it -> "evt_1");
        String hex = hex("whsec_new", (TIME + "." + new String(body, UTF_8)).getBytes(UTF_8));
        Map<String, String> headers = Map.of("stripe-signature", "t=" + TIME + ",v1=00,v1=" + hex + ",v0=" + hex);
        assertEquals(new Verification.Genuine("evt_1", NOW), stripe.verify(headers::get, body, NOW));
        assertRejected(stripe.verify(headers::get, BODY, NOW));
        assertRejected(stripe.verify(Map.of("stripe-signature", "v1=" + hex)::get, body, NOW));
        assertRejected(stripe.verify(Map.of("stripe-signature", "t=" + TIME + ",v0=" + hex)::get, body, NOW));

        // From GitHub's documentation.
        WebhookScheme github = new WebhookScheme.GitHub(List.of("It's a Secret to Everybody"));
        Map<String, String> delivery = new HashMap<>(Map.of(
                "x-hub-signature-256",
                "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
                "x-github-delivery",
                "72d3162e-cc78-11e3-81ab-4c9367dc0958"));
        byte[] hello = "Hello, World!".getBytes(UTF_8);
        assertEquals(
                new Verification.Genuine("72d3162e-cc78-11e3-81ab-4c9367dc0958", null),
                github.verify(delivery::get, hello, NOW));
        assertRejected(github.verify(delivery::get, body, NOW));
        delivery.remove("x-github-delivery");
        assertRejected(github.verify(delivery::get, hello, NOW));
    }

    @Test
    void of_headers_that_are_sent_twice_none_is_believed() {
        for (String header : List.of("webhook-id", "webhook-timestamp")) {
            Map<String, String> twice = headers();
            twice.merge(header, twice.get(header), (one, other) -> one + ", " + other);
            assertRejected(standard.verify(twice::get, BODY, NOW));
        }
        WebhookScheme stripe = new WebhookScheme.Stripe(List.of("s"), WebhookScheme.TOLERANCE, it -> "evt_1");
        String hex = hex("s", (TIME + "." + new String(BODY, UTF_8)).getBytes(UTF_8));
        String good = "t=" + TIME + ",v1=" + hex;
        assertInstanceOf(Verification.Genuine.class, stripe.verify(Map.of("stripe-signature", good)::get, BODY, NOW));
        for (String bad : List.of(good + ", " + good, "t=1," + good, good + ",t=1"))
            assertRejected(stripe.verify(Map.of("stripe-signature", bad)::get, BODY, NOW));
        WebhookScheme github = new WebhookScheme.GitHub(List.of("s"));
        String signature = "sha256=" + hex("s", BODY);
        for (Map<String, String> bad : List.of(
                Map.of("x-hub-signature-256", signature + ", " + signature, "x-github-delivery", "a"),
                Map.of("x-hub-signature-256", signature, "x-github-delivery", "a, b"),
                Map.of("x-hub-signature-256", signature, "x-github-delivery", "")))
            assertRejected(github.verify(bad::get, BODY, NOW));
    }

    /** What is signed is id.time.body: who has a signature for "a.TIME" could else use it for "a", with another body. */
    @Test
    void what_is_signed_can_be_divided_in_one_way_only() {
        SigningKey key = SigningKey.parse(SECRET);
        String signature = key.sign(WebhookScheme.signed("a." + TIME, TIME, BODY));
        Map<String, String> headers = headers();
        headers.put("webhook-signature", signature);
        headers.put("webhook-id", "a." + TIME);
        assertRejected(standard.verify(headers::get, BODY, NOW));
    }

    @Test
    void letters_of_hexadecimal_signatures_are_of_either_case() {
        WebhookScheme github = new WebhookScheme.GitHub(List.of("s"));
        String upper = hex("s", BODY).toUpperCase(java.util.Locale.ROOT);
        Map<String, String> headers = Map.of("x-hub-signature-256", "sha256=" + upper, "x-github-delivery", "a");
        assertInstanceOf(Verification.Genuine.class, github.verify(headers::get, BODY, NOW));
        for (String bad : List.of("", "zz", upper.substring(2), upper + "00", upper.substring(1)))
            assertRejected(github.verify(
                    Map.of("x-hub-signature-256", "sha256=" + bad, "x-github-delivery", "a")::get, BODY, NOW));
    }

    @Test
    void a_version_of_signatures_fits_its_own_kind_of_key_only() {
        Map<String, String> headers = headers();
        headers.put("webhook-signature", SIGNATURE.replace("v1,", "v1a,"));
        assertRejected(standard.verify(headers::get, BODY, NOW));
        headers.put("webhook-signature", SIGNATURE.substring(3));
        assertRejected(standard.verify(headers::get, BODY, NOW));
    }

    /** A body of a megabyte is signed once for each key, whoever sends how many signatures: this takes milliseconds, not seconds. */
    @Test
    void more_signatures_than_anybody_sends_are_not_looked_at() {
        Map<String, String> headers = headers();
        headers.put("webhook-signature", "v1,AAAA ".repeat(WebhookScheme.MOST_SIGNATURES) + SIGNATURE);
        assertRejected(standard.verify(headers::get, BODY, NOW));
        headers.put("webhook-signature", "v1,AAAA ".repeat(WebhookScheme.MOST_SIGNATURES - 1) + SIGNATURE);
        assertInstanceOf(Verification.Genuine.class, standard.verify(headers::get, BODY, NOW));
    }

    @Test
    void a_scheme_that_would_let_anybody_in_or_nobody_cannot_be_made() throws Exception {
        assertThrows(IllegalArgumentException.class, () -> new WebhookScheme.GitHub(List.of("good", "")));
        assertThrows(IllegalArgumentException.class, () -> new WebhookScheme.GitHub(List.of(" ")));
        assertThrows(
                IllegalArgumentException.class,
                () -> new WebhookScheme.Stripe(List.of(""), WebhookScheme.TOLERANCE, body -> "id"));
        assertThrows(
                IllegalArgumentException.class,
                () -> new WebhookScheme.Stripe(List.of("s"), Duration.ZERO, body -> "id"));
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        SigningKey signs = SigningKey.parse("whsk_" + raw(pair.getPrivate().getEncoded()));
        assertThrows(
                IllegalArgumentException.class,
                () -> new WebhookScheme.Standard(List.of(signs), WebhookScheme.TOLERANCE));
    }

    @Test
    void bad_keys_are_refused_and_not_shown() {
        for (String bad : List.of("", "secret", "whsec_", "whsec_c2hvcnQ=", "whsec_%%%", "whsk_AAAA", "whpk_AAAA")) {
            IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> SigningKey.parse(bad), bad);
            assertFalse(bad.length() > 6 && String.valueOf(refused.getMessage()).contains(bad), refused.getMessage());
        }
        assertEquals("whsec_…", SigningKey.parse(SECRET).toString());
        assertFalse(standard.toString().contains(SECRET.substring(8)));
        assertFalse(new WebhookScheme.GitHub(List.of("tell nobody")).toString().contains("tell nobody"));
        assertThrows(IllegalArgumentException.class, () -> new WebhookScheme.GitHub(List.of()));
    }

    private static Map<String, String> headers() {
        return new HashMap<>(Map.of("webhook-id", ID, "webhook-timestamp", TIME, "webhook-signature", SIGNATURE));
    }

    private static void assertRejected(Verification verification) {
        assertInstanceOf(Verification.Rejected.class, verification);
    }

    private static String raw(byte[] encoded) {
        return Base64.getEncoder().encodeToString(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
    }

    private static String hex(String secret, byte[] signed) {
        return HexFormat.of().formatHex(SigningKey.hmac(secret.getBytes(UTF_8), signed));
    }
}
