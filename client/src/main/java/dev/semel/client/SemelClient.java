package dev.semel.client;

import dev.semel.client.Answer.Ended;
import dev.semel.client.Answer.Refusal;
import dev.semel.client.ledger.Entry;
import dev.semel.client.ledger.Ledger;
import dev.semel.client.ledger.LedgerException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends HTTP requests to servers that understand {@code Idempotency-Key}, so that each takes effect once.
 *
 * <p>The key of an intent is in the {@link Ledger} before the first byte is sent. It is the same in every retry, also
 * after a restart, until there is a definitive answer; and that stays in the ledger too, so that whoever asks again gets
 * it. Redirects are not followed.
 *
 * <p>Methods block, and may be called by any thread. An {@link IllegalArgumentException} means that the request cannot be
 * sent so, and a {@link LedgerException} from a method that sends that nothing was sent.
 */
public final class SemelClient implements AutoCloseable {
    private static final int SENT_BETWEEN_CLEANINGS = 200;

    private final ClientSettings settings;
    private final Ledger ledger;
    private final RequestReader reader;
    private final Wire wire;
    private final boolean ownsHttp;
    private final int resumedAtOnce;
    private final IntentLocks locks = new IntentLocks();
    private final AtomicInteger sent = new AtomicInteger();

    SemelClient(ClientSettings settings, RequestReader reader, Wire wire, boolean ownsHttp, int resumedAtOnce) {
        this.settings = settings;
        this.ledger = settings.ledger();
        this.reader = reader;
        this.wire = wire;
        this.ownsHttp = ownsHttp;
        this.resumedAtOnce = resumedAtOnce;
    }

    /** A client that writes to this ledger, which stays the caller's to close. */
    public static SemelClientBuilder on(Ledger ledger) {
        return new SemelClientBuilder(ledger);
    }

    /**
     * Sends a request, as often as it takes. A second call with the same intent and request sends the same key, or gives
     * the answer that the ledger has.
     *
     * @param request its body is read whole. An {@code Idempotency-Key} of its own is used as the key
     */
    public Answer send(Intent intent, HttpRequest request) {
        Entry.Pending fresh = prepare(intent, request);
        return alone(intent.name(), fresh.key(), () -> {
            // K0: nothing is written.
            Entry.Pending first = fresh.attemptedAt(fresh.rememberedAt());
            Entry there = ledger.remember(first);
            if (there == null) return run(first, false, isOlder(intent, request));
            if (!there.isFor(fresh.call()) || carriesAnotherKey(request, there))
                return new Answer.Refused(there.key(), Refusal.INTENT_DIFFERS, null, there instanceof Entry.Pending);
            return finish(there);
        });
    }

    /** Whether the key may have been sent before this ledger knew of it: not when it was made just now. */
    private static boolean isOlder(Intent intent, HttpRequest request) {
        return intent.derivedKey() != null
                || request.headers().firstValue(RequestReader.KEY_HEADER).isPresent();
    }

    private static boolean carriesAnotherKey(HttpRequest request, Entry there) {
        return request.headers()
                .firstValue(RequestReader.KEY_HEADER)
                .map(Keys::checked)
                .filter(key -> !key.equals(there.key()))
                .isPresent();
    }

    /**
     * Makes the entry of a request without writing or sending it: for {@link
     * dev.semel.client.ledger.JdbcLedger#remember(java.sql.Connection, Entry.Pending)}.
     */
    public Entry.Pending prepare(Intent intent, HttpRequest request) {
        RequestReader.Read read = reader.read(request);
        Instant now = settings.time().now();
        return new Entry.Pending(
                intent.name(), key(intent, read, now), read.call(), now, now.plus(settings.deadline()), 0, null);
    }

    private static String key(Intent intent, RequestReader.Read read, Instant now) {
        String derived = intent.derivedKey();
        String own = read.key();
        if (own != null && derived != null && !own.equals(derived))
            throw new IllegalArgumentException(
                    "The request carries another Idempotency-Key than its intent has." + " Leave the header out.");
        if (own != null) return own;
        return derived != null ? derived : Keys.uuid7(now).toString();
    }

    /** Sends what the ledger has for that intent, or gives the answer that it has. */
    public Answer sendRemembered(Intent intent) {
        return sendRemembered(intent.name());
    }

    private Answer sendRemembered(String intent) {
        return alone(intent, "", () -> {
            Entry there = ledger.find(intent);
            return there == null ? new Answer.Refused("", Refusal.NOT_REMEMBERED, null, false) : finish(there);
        });
    }

    private Answer finish(Entry there) {
        return switch (there) {
            case Entry.Settled it -> Sender.recorded(it);
            case Entry.Pending it
            when isOverdue(it) ->
                new Answer.StillUnknown(it.key(), Ended.DEADLINE, it.attempts(), it.attempts() > 0, null, null, null);
            case Entry.Pending it -> {
                Entry.Pending counted = ledger.attempt(it, settings.time().now());
                // Settled or removed by someone else in this very moment: what is there now counts.
                yield counted == null ? sendRemembered(it.intent()) : run(counted, counted.attempts() > 1, false);
            }
        };
    }

    private boolean isOverdue(Entry.Pending entry) {
        return !settings.time().now().isBefore(entry.deadline());
    }

    private Answer run(Entry.Pending entry, boolean mayHaveRun, boolean keyIsOlder) {
        Answer answer = new Sender(settings, wire, entry, mayHaveRun, keyIsOlder).run();
        if (sent.incrementAndGet() % SENT_BETWEEN_CLEANINGS == 0) forgetOldIfPossible();
        return answer;
    }

    private interface Sending {
        Answer send();
    }

    private Answer alone(String intent, String key, Sending sending) {
        IntentLocks.@Nullable Held held;
        try {
            held = locks.take(intent, settings.patience());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer.StillUnknown(key, Ended.INTERRUPTED, 0, false, null, null, e);
        }
        if (held == null) return new Answer.StillUnknown(key, Ended.PATIENCE, 0, true, null, null, null);
        try {
            return sending.send();
        } finally {
            held.close();
        }
    }

    /**
     * Sends everything that is pending, with the same keys: to be called after a start, and from time to time. Returns
     * when each has an answer or has run out of patience.
     *
     * @param listener told of each call when it is done, by any thread; what it throws is thrown when all are done
     */
    public Resumption resume(Consumer<? super Progress> listener) throws InterruptedException {
        forgetOldIfPossible();
        return Resumption.of(ledger.pending(), resumedAtOnce, this::resumed, listener);
    }

    /** The same without a listener. */
    public Resumption resume() throws InterruptedException {
        return resume(progress -> {});
    }

    private Answer resumed(String intent) {
        try {
            return sendRemembered(intent);
        } catch (LedgerException e) {
            return new Answer.StillUnknown("", Ended.LEDGER, 0, true, null, null, e);
        }
    }

    /** There is an answer to give, whatever becomes of this. */
    private void forgetOldIfPossible() {
        try {
            forgetOld();
        } catch (LedgerException e) {
            // The next time will do.
        }
    }

    private void forgetOld() {
        ledger.forgetSettledBefore(settings.time().now().minus(settings.keepSettled()));
    }

    /** The intents that have no definitive answer, oldest first. */
    public List<String> pending() {
        return ledger.pending();
    }

    /** What the ledger knows of that intent; null for nothing. */
    public @Nullable Entry find(Intent intent) {
        return ledger.find(intent.name());
    }

    /**
     * Says that the next request of this intent is a new operation, with a new key. Only when the one before has ended.
     *
     * @throws IllegalStateException when it is still pending: a new key could run it twice
     * @throws IllegalArgumentException when the key follows from the intent, and so cannot change
     */
    public void rotate(Intent intent) {
        if (intent.derivedKey() != null)
            throw new IllegalArgumentException("The key of '" + intent
                    + "' follows from its parts and never changes. Name another intent for a new operation.");
        Entry there = ledger.find(intent.name());
        if (there instanceof Entry.Pending)
            throw new IllegalStateException("'" + intent + "' has no definitive answer yet: with a new key it could"
                    + " happen twice. Resume it first.");
        if (there != null) ledger.remove(there);
    }

    /**
     * Removes a pending call, by someone who has found out in another way what became of it. Its key is lost: if it has
     * happened after all, the next request of this intent makes it happen twice.
     *
     * @return whether it was pending, and no try was begun just now
     */
    public boolean abandon(Intent intent) {
        return ledger.find(intent.name()) instanceof Entry.Pending it && ledger.remove(it);
    }

    /** Ends the connections, unless the {@link HttpClient} was given. Leaves the ledger open. */
    @Override
    public void close() {
        if (ownsHttp) wire.http().shutdownNow();
    }
}
