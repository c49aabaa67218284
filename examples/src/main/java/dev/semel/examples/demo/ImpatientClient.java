package dev.semel.examples.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Sends payments and does not wait long for the answer. Safe for use by many threads. */
final class ImpatientClient implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final URI charges;
    private final Duration timeout;
    private final Tally tally;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient http;

    ImpatientClient(URI shop, Duration timeout, Tally tally) {
        this.charges = shop.resolve("/v1/charges");
        this.timeout = timeout;
        this.tally = tally;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .executor(threads)
                .build();
    }

    sealed interface Answer {
        /** The payment is over, well or not. */
        record Final(boolean paid) implements Answer {}

        /** Not now: ask again, with the same key. */
        record Later() implements Answer {}

        /** Too late or broken: whether the card was charged is unknown, so ask again, with the same key. */
        record None() implements Answer {}
    }

    Answer send(Payment payment) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(charges)
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", payment.key())
                .POST(BodyPublishers.ofString(payment.json()))
                .build();
        tally.requests.increment();
        try {
            return read(http.send(request, BodyHandlers.discarding()));
        } catch (HttpTimeoutException e) {
            tally.timeOuts.increment();
            return new Answer.None();
        } catch (IOException e) {
            return new Answer.None();
        }
    }

    private Answer read(HttpResponse<Void> response) {
        if (response.headers().firstValue("Idempotent-Replayed").isPresent()) tally.replays.increment();
        int status = response.statusCode();
        if (status == 409) tally.conflicts.increment();
        boolean later = status == 408 || status == 409 || status == 425 || status == 429 || status >= 500;
        return later ? new Answer.Later() : new Answer.Final(status < 300);
    }

    @Override
    public void close() {
        http.shutdownNow();
        try {
            http.awaitTermination(CLOSE_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.shutdownNow();
    }
}
