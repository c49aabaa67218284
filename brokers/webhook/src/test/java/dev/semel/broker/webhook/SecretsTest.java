package dev.semel.broker.webhook;

import static dev.semel.broker.webhook.Scene.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.broker.webhook.delivery.WebhookEvent;
import dev.semel.broker.webhook.endpoint.Endpoint;
import dev.semel.broker.webhook.endpoint.NewSecret;
import dev.semel.broker.webhook.endpoint.SecretSeal;
import dev.semel.broker.webhook.endpoint.WebhookEndpoints;
import dev.semel.webhook.SigningKey;
import dev.semel.webhook.Verification;
import dev.semel.webhook.WebhookScheme;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What webhooks are signed with: several secrets at once, encrypted, and shown once. */
@ExtendWith(SharedPostgres.class)
@Timeout(60)
class SecretsTest {
    private static final SecretSeal SEAL = SecretSeal.of(key(1));

    private static String key(int filling) {
        byte[] key = new byte[32];
        java.util.Arrays.fill(key, (byte) filling);
        return Base64.getEncoder().encodeToString(key);
    }

    @Test
    void while_a_secret_is_rotated_both_count_and_then_only_the_new_one() throws Exception {
        try (Scene scene = new Scene(SEAL)) {
            WebhookEndpoints.Added added = scene.add(Endpoint.Plan.to(scene.receiver.url("/h")));
            NewSecret second = scene.endpoints.rotate(added.id(), NewSecret.Kind.HMAC, Duration.ofHours(24));
            NewSecret third = scene.endpoints.rotate(added.id(), NewSecret.Kind.ED25519, Duration.ofHours(12));
            assertNotNull(second);
            assertNotNull(third);
            scene.publish("{}");
            Receiver.Request request = scene.receiver.await(1).getFirst();
            assertEquals(
                    3, request.headers().getOrDefault("webhook-signature", "").split(" ").length);
            for (NewSecret each : List.of(added.secret(), second, third))
                assertInstanceOf(Verification.Genuine.class, verified(scene, request, each));
            assertInstanceOf(
                    Verification.Rejected.class, verified(scene, request, new NewSecret("", SigningKey.newSecret())));

            scene.time.advance(Duration.ofHours(12));
            scene.publish("{}");
            Receiver.Request later = scene.receiver.await(2).getLast();
            assertInstanceOf(Verification.Genuine.class, verified(scene, later, third));
            assertInstanceOf(Verification.Rejected.class, verified(scene, later, second));
            assertInstanceOf(Verification.Rejected.class, verified(scene, later, added.secret()));
            assertEquals(1, scene.endpoints.secrets(added.id()).size());
        }
    }

    private static Verification verified(Scene scene, Receiver.Request request, NewSecret secret) {
        return new WebhookScheme.Standard(List.of(SigningKey.parse(secret.verifying())), WebhookScheme.TOLERANCE)
                .verify(request.headers()::get, request.body(), scene.time.instant());
    }

    @Test
    void there_are_not_more_secrets_than_fit_into_a_header() throws Exception {
        try (Scene scene = new Scene()) {
            UUID id = scene.add("/h");
            for (int i = 1; i < WebhookEndpoints.MOST_SECRETS; i++)
                assertNotNull(scene.endpoints.rotate(id, NewSecret.Kind.HMAC, Duration.ofHours(1)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> scene.endpoints.rotate(id, NewSecret.Kind.HMAC, Duration.ofHours(1)));
            assertNotNull(scene.endpoints.rotate(id, NewSecret.Kind.HMAC, Duration.ZERO), "a leaked one ends at once");
            assertEquals(1, scene.endpoints.secrets(id).size());
            assertNull(scene.endpoints.rotate(UUID.randomUUID(), NewSecret.Kind.HMAC, Duration.ZERO));
        }
    }

    @Test
    void secrets_are_encrypted_in_the_database_and_bound_to_their_endpoint() throws Exception {
        try (Scene scene = new Scene(SEAL)) {
            WebhookEndpoints.Added added = scene.add(Endpoint.Plan.to(scene.receiver.url("/h")));
            UUID other = scene.add("/other");
            byte[] clear = added.secret().signing().getBytes(UTF_8);
            assertEquals(
                    0, scene.count("select count(*) from semel.webhook_secret where position(? in secret) > 0", (Object)
                            clear));
            assertTrue(!added.toString().contains(added.secret().signing()), added.toString());

            scene.execute(
                    "update semel.webhook_secret set secret = (select secret from semel.webhook_secret where endpoint"
                            + " = ?) where endpoint = ?",
                    added.id(),
                    other);
            scene.publish("m");
            scene.receiver.await("/h", 1);
            assertEquals(
                    other,
                    scene.awaitEvent(WebhookEvent.EndpointUnusable.class, 1).endpoint());
            assertEquals(0, scene.receiver.requests("/other").size(), "nothing leaves unsigned");
        }
    }

    @Test
    void a_relay_with_another_key_or_none_does_not_start() throws Exception {
        try (Scene scene = new Scene(SEAL)) {
            scene.add("/h");
            for (SecretSeal wrong : List.of(SecretSeal.of(key(2)), SecretSeal.NONE))
                assertTrue(String.valueOf(assertThrows(
                                        IllegalStateException.class, () -> scene.another(scene.settings.with(wrong)))
                                .getMessage())
                        .contains("SEMEL_WEBHOOK_KEY"));
        }
        try (Scene scene = new Scene()) {
            UUID id = scene.add("/plain");
            scene.another(scene.settings.with(SEAL));
            UUID message = scene.publish("m").getFirst();
            until(() -> scene.line(message, id).attempts() == 1);
        }
    }

    @Test
    void a_key_that_is_none_is_told_without_its_text() {
        assertTrue(told("c2hvcnQ=").contains("has 5 bytes; AES-256 needs 32"));
        assertTrue(!told("hidden!").contains("hidden"));
        assertTrue(!SEAL.toString().contains(key(1)));
    }

    private static String told(String key) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, () -> SecretSeal.of(key))
                .getMessage());
    }
}
