package dev.semel.examples.clients;

import com.stripe.StripeClient;
import com.stripe.exception.StripeException;
import com.stripe.net.RequestOptions;
import com.stripe.param.ChargeCreateParams;
import java.io.IOException;

/** What the guide for clients shows, as it compiles. */
abstract class ClientGuide {
    record Order(String paymentKey) {}

    interface HttpClient {
        String post(String path, String key, Order order) throws IOException;
    }

    abstract void backOff(int attempt);

    String pay(HttpClient client, Order order) throws IOException {
        String key = order.paymentKey();
        for (int attempt = 1; ; attempt++) {
            try {
                return client.post("/v1/charges", key, order);
            } catch (IOException e) {
                if (attempt == 5) throw e;
                backOff(attempt);
            }
        }
    }

    void withStripe(Order order, ChargeCreateParams params) throws StripeException {
        StripeClient stripe = StripeClient.builder()
                .setApiKey("sk_…")
                .setApiBase("http://127.0.0.1:8080")
                .setMaxNetworkRetries(2)
                .build();
        stripe.v1()
                .charges()
                .create(
                        params,
                        RequestOptions.builder()
                                .setIdempotencyKey(order.paymentKey())
                                .build());
    }
}
