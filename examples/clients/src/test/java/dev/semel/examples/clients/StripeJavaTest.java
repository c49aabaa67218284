package dev.semel.examples.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.stripe.StripeClient;
import com.stripe.exception.ApiException;
import com.stripe.exception.IdempotencyException;
import com.stripe.exception.StripeException;
import com.stripe.model.Charge;
import com.stripe.model.PaymentIntent;
import com.stripe.net.RequestOptions;
import com.stripe.param.ChargeCreateParams;
import com.stripe.param.PaymentIntentCreateParams;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Stripe's own SDK for Java, pointed at a gateway: each story ends as the right exception, or as the one charge. */
@ExtendWith(Setting.Shared.class)
class StripeJavaTest {
    /** The common pool has one thread on a small machine, and the first attempt keeps it. */
    private static final Executor ALONE = Thread::startVirtualThread;

    private final String key = UUID.randomUUID().toString();

    @Test
    void a_lost_answer_ends_as_the_one_charge(Setting setting) throws Exception {
        Charge first = charge(setting, 1999);
        setting.link.loseAnswers(1);
        Charge again = charge(setting, 1999);
        assertEquals(first.getId(), again.getId());
        assertEquals(1, setting.api.chargesOf(key));
    }

    @Test
    void the_first_answer_is_lost_and_the_sdk_gets_the_one_charge(Setting setting) throws Exception {
        setting.link.loseAnswers(1);
        assertNotNull(charge(setting, 1999).getId());
        assertEquals(1, setting.api.chargesOf(key));
    }

    @Test
    void a_key_used_for_another_charge_is_an_exception_and_no_charge(Setting setting) throws Exception {
        charge(setting, 1999);
        ApiException e = assertThrows(ApiException.class, () -> charge(setting, 2999));
        assertEquals(422, e.getStatusCode());
        assertEquals("key-reused", e.getCode());
        assertEquals("idempotency_error", e.getStripeError().getType());
        assertEquals(1, setting.api.chargesOf(key));
    }

    @Test
    void what_is_in_doubt_is_an_exception_and_not_a_second_charge(Setting setting) {
        setting.api.then(ScriptedApi.LOST);
        ApiException e = assertThrows(ApiException.class, () -> charge(setting, 1999));
        assertEquals(409, e.getStatusCode());
        assertEquals("outcome-unknown", e.getCode());
        assertEquals("api_error", e.getStripeError().getType());
        assertTrue(e.getMessage().contains("Do not repeat it with another key"), e.getMessage());
        assertEquals(1, setting.api.chargesOf(key));
    }

    @Test
    void an_answer_that_a_mesh_made_up_is_not_a_second_charge(Setting setting) {
        setting.api.then(ScriptedApi.refused(503, "Server", "envoy"));
        ApiException e = assertThrows(ApiException.class, () -> charge(setting, 1999));
        assertEquals("outcome-unknown", e.getCode());
        assertEquals(1, setting.api.chargesOf(key));
    }

    @Test
    void a_service_that_is_busy_for_a_moment_charges_on_the_retry(Setting setting) throws Exception {
        setting.api.then(ScriptedApi.refused(503, "Retry-After", "1"));
        assertNotNull(charge(setting, 1999).getId());
        assertEquals(2, setting.api.chargesOf(key), "asked twice, and refused once");
    }

    @Test
    void a_key_that_is_none_is_an_idempotency_exception(Setting setting) {
        StripeException e = assertThrows(IdempotencyException.class, () -> charge(setting, 1999, "not a key"));
        assertEquals("key-malformed", e.getCode());
    }

    @Test
    void while_another_attempt_runs_the_sdk_comes_back_for_its_charge(Setting setting) throws Exception {
        Semaphore arrived = new Semaphore(0);
        Semaphore letGo = new Semaphore(0);
        setting.api.then(ScriptedApi.heldBack(arrived, letGo));
        CompletableFuture<PaymentIntent> first = CompletableFuture.supplyAsync(() -> intent(setting), ALONE);
        arrived.acquire();
        setting.link.forgetAnswers();
        CompletableFuture<PaymentIntent> second = CompletableFuture.supplyAsync(() -> intent(setting), ALONE);
        setting.link.awaitAnswer(); // 409 in-progress, after which the SDK waits
        letGo.release();
        assertEquals(first.get().getId(), second.get().getId());
        assertEquals(1, setting.api.chargesOf(key));
    }

    private PaymentIntent intent(Setting setting) {
        PaymentIntentCreateParams params = PaymentIntentCreateParams.builder()
                .setAmount(1999L)
                .setCurrency("eur")
                .build();
        try {
            return client(setting).v1().paymentIntents().create(params, options(key));
        } catch (StripeException e) {
            throw new IllegalStateException(e);
        }
    }

    private Charge charge(Setting setting, long amount) throws StripeException {
        return charge(setting, amount, key);
    }

    private static Charge charge(Setting setting, long amount, String key) throws StripeException {
        ChargeCreateParams params = ChargeCreateParams.builder()
                .setAmount(amount)
                .setCurrency("eur")
                .setSource("tok_visa")
                .build();
        return client(setting).v1().charges().create(params, options(key));
    }

    private static RequestOptions options(String key) {
        return RequestOptions.builder().setIdempotencyKey(key).build();
    }

    private static StripeClient client(Setting setting) {
        return StripeClient.builder()
                .setApiKey("sk_test_123")
                .setApiBase(setting.link.uri("").toString())
                .setMaxNetworkRetries(2)
                .build();
    }
}
