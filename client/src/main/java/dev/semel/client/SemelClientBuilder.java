package dev.semel.client;

import static dev.semel.client.ClientSettings.checkPositive;

import dev.semel.client.ledger.Ledger;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** How a {@link SemelClient} is made. Everything has a default. For one thread. */
public final class SemelClientBuilder {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final int MIB = 1 << 20;

    private final Ledger ledger;
    private @Nullable HttpClient http;
    private Credentials credentials = Credentials.NONE;
    private ClientTime time = ClientTime.SYSTEM;
    private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
    private RetryBudget budget = RetryBudget.standard();
    private Backoff backoff = Backoff.STANDARD;
    private Duration longestRetryAfter = Duration.ofSeconds(60);
    private Duration patience = Duration.ofSeconds(60);
    private Duration tryTimeout = Duration.ofSeconds(30);
    private Duration deadline = Duration.ofHours(23);
    private Duration keepSettled = Duration.ofDays(7);
    private int bodyLimit = MIB;
    private int responseLimit = MIB;
    private int resumedAtOnce = 8;
    private boolean quotedKeys;

    SemelClientBuilder(Ledger ledger) {
        this.ledger = Objects.requireNonNull(ledger, "ledger");
    }

    /** Your own, for its proxy or TLS. It must follow no redirects, and is yours to close. */
    public SemelClientBuilder http(HttpClient http) {
        if (http.followRedirects() != HttpClient.Redirect.NEVER)
            throw new IllegalArgumentException("The HttpClient must follow no redirects: a body and its key would go to"
                    + " another server. Build it with followRedirects(NEVER), which is the default.");
        this.http = http;
        return this;
    }

    /** Who supplies the secret headers. None by default. */
    public SemelClientBuilder credentials(Credentials credentials) {
        this.credentials = Objects.requireNonNull(credentials, "credentials");
        return this;
    }

    /** How long one call may take with all its retries; 60 s by default. Then it is still unknown, and stays pending. */
    public SemelClientBuilder patience(Duration patience) {
        checkPositive(patience, "patience");
        this.patience = patience;
        return this;
    }

    /** How long one try may take; 30 s by default. */
    public SemelClientBuilder tryTimeout(Duration tryTimeout) {
        checkPositive(tryTimeout, "tryTimeout");
        this.tryTimeout = tryTimeout;
        return this;
    }

    /**
     * How long after it was written down a call may be sent; 23 h by default. Must be less than the server remembers
     * keys, which is 24 h for Stripe and for Semel unless configured: a key that it has forgotten would run again.
     */
    public SemelClientBuilder deadline(Duration deadline) {
        checkPositive(deadline, "deadline");
        this.deadline = deadline;
        return this;
    }

    /** How long the ledger keeps answers; 7 d by default. After that the same intent is a new operation. */
    public SemelClientBuilder keepSettled(Duration keepSettled) {
        checkPositive(keepSettled, "keepSettled");
        this.keepSettled = keepSettled;
        return this;
    }

    /** The pause before a retry is anything up to {@code first}, which doubles until it is {@code longest}. */
    public SemelClientBuilder backoff(Duration first, Duration longest) {
        checkPositive(first, "first");
        checkPositive(longest, "longest");
        this.backoff = new Backoff(first, longest);
        return this;
    }

    /** How much of a {@code Retry-After} is believed; 60 s by default. */
    public SemelClientBuilder longestRetryAfter(Duration longest) {
        checkPositive(longest, "longestRetryAfter");
        this.longestRetryAfter = longest;
        return this;
    }

    /** How many retries all calls may make together. May be shared by clients. */
    public SemelClientBuilder retryBudget(RetryBudget budget) {
        this.budget = Objects.requireNonNull(budget, "budget");
        return this;
    }

    /** The largest body of a request that is taken, and of an answer that is read; 1 MiB each by default. */
    public SemelClientBuilder limits(int requestBytes, int responseBytes) {
        if (requestBytes < 0 || responseBytes < 0) throw new IllegalArgumentException("A limit cannot be negative.");
        this.bodyLimit = requestBytes;
        this.responseLimit = responseBytes;
        return this;
    }

    /** How many pending calls are sent at the same time by {@link SemelClient#resume}; 8 by default. */
    public SemelClientBuilder resumedAtOnce(int resumedAtOnce) {
        if (resumedAtOnce < 1) throw new IllegalArgumentException("At least one call must be resumed at once.");
        this.resumedAtOnce = resumedAtOnce;
        return this;
    }

    /** Sends keys in quotes, as the IETF draft has them. Semel takes both forms for the same key; Stripe does not. */
    public SemelClientBuilder quotedKeys() {
        this.quotedKeys = true;
        return this;
    }

    /** For tests. */
    public SemelClientBuilder time(ClientTime time) {
        this.time = Objects.requireNonNull(time, "time");
        return this;
    }

    /** What the pauses between tries are drawn from; for tests. */
    public SemelClientBuilder random(RandomGenerator random) {
        this.random = Objects.requireNonNull(random, "random");
        return this;
    }

    public SemelClient build() {
        HttpClient given = http;
        HttpClient used = given != null
                ? given
                : HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
        ClientSettings settings = new ClientSettings(
                ledger, time, random, budget, backoff, longestRetryAfter, patience, tryTimeout, deadline, keepSettled);
        Wire wire = new Wire(used, credentials, quotedKeys, responseLimit);
        return new SemelClient(settings, new RequestReader(bodyLimit), wire, given == null, resumedAtOnce);
    }
}
