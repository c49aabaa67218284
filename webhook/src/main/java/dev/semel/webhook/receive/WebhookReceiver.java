package dev.semel.webhook.receive;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.message.MessageLimits;
import dev.semel.webhook.Verification;
import dev.semel.webhook.WebhookScheme;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Receives the webhooks of one sender: each that is genuine takes effect once, however often it is sent. It is acknowledged after
 * its transaction is committed, never before.
 *
 * <pre>{@code
 * Receipt receipt = receiver.store(headers::get, body, outbox, webhook -> Message.of("payments", "stripe", webhook.body()));
 * respond(receipt.answer());
 * }</pre>
 *
 * <p>Duplicates are told by the id, for as long as the {@linkplain dev.semel.messaging.InboxWindow inbox remembers it}. A signature of
 * GitHub has no time, so it counts for ever: the window is all that stands between such a webhook and its effect if somebody sends
 * it again. Safe for use by any thread; calls block.
 */
public final class WebhookReceiver {
    /** The header of a stored message with the id that its sender gave it. */
    public static final String SENDER_ID = "sender-id";

    private static final int LONGEST_ID = 255;
    private static final Duration BETWEEN_EXPIRIES = Duration.ofMinutes(1);

    private final String account;
    private final WebhookScheme scheme;
    private final Inbox inbox;
    private final int largest;
    private final InstantSource time;
    private final AtomicLong nextExpiry = new AtomicLong(System.nanoTime());

    private WebhookReceiver(String account, WebhookScheme scheme, Inbox inbox, int largest, InstantSource time) {
        this.account = account;
        this.scheme = scheme;
        this.inbox = inbox;
        this.largest = largest;
        this.time = time;
        inbox.requireConsumer(account);
    }

    /**
     * A receiver of webhooks that are at most as large as a message.
     *
     * @param account whose ids these are, such as {@code stripe:acct_1}: those of two accounts have nothing to do with each other. Do
     *     not change it, for then everything is new
     */
    public static WebhookReceiver of(String account, WebhookScheme scheme, Inbox inbox) {
        return new WebhookReceiver(account, scheme, inbox, MessageLimits.LARGEST_PAYLOAD, InstantSource.system());
    }

    /** Another limit, in bytes. What is {@linkplain #store stored} is never larger than a message may be. */
    public WebhookReceiver withLargest(int largest) {
        return new WebhookReceiver(account, scheme, inbox, largest, time);
    }

    /** By another clock. */
    public WebhookReceiver at(InstantSource time) {
        return new WebhookReceiver(account, scheme, inbox, largest, time);
    }

    /** In bytes: whoever reads a body need not read more. */
    public int largest() {
        return largest;
    }

    private interface Work {
        void in(Connection transaction) throws Exception;
    }

    /**
     * Stores it as a message, to be handled later: when this returns {@link Receipt.Taken} it is in the outbox, or was before.
     *
     * @param header the value of a header by its name in lower case, null when it is missing; several of one name are joined by
     *     {@code ", "}
     * @param body every byte of it, as it came
     * @param outbox in the same database as the inbox
     * @param message what is stored of it; it gets the sender's id as the header {@link #SENDER_ID}
     */
    public Receipt store(
            Function<String, @Nullable String> header,
            byte[] body,
            Outbox outbox,
            Function<IncomingWebhook, Message> message) {
        if (body.length > MessageLimits.LARGEST_PAYLOAD) return new Receipt.TooLarge(MessageLimits.LARGEST_PAYLOAD);
        return receive(
                header,
                body,
                webhook -> {
                    Message stored = message.apply(webhook).withHeader(SENDER_ID, webhook.id());
                    return transaction -> outbox.append(transaction, stored);
                },
                outbox::committed);
    }

    /**
     * Handles it at once: when this returns {@link Receipt.Taken}, the effect is committed, now or before.
     *
     * @param header as in {@link #store}
     */
    public Receipt handle(Function<String, @Nullable String> header, byte[] body, WebhookHandler handler) {
        return receive(header, body, webhook -> transaction -> handler.handle(transaction, webhook), () -> {});
    }

    private Receipt receive(
            Function<String, @Nullable String> header,
            byte[] body,
            Function<IncomingWebhook, Work> work,
            Runnable committed) {
        if (body.length > largest) return new Receipt.TooLarge(largest);
        return switch (scheme.verify(header, body, time.instant())) {
            case Verification.Rejected(String reason) -> new Receipt.Rejected(reason);
            case Verification.Genuine(String id, var sentAt) -> {
                if (!isId(id)) yield new Receipt.Unusable("its id is not 1 to 255 visible ASCII characters");
                Receipt receipt = receive(new IncomingWebhook(id, sentAt, header, body), work);
                if (receipt instanceof Receipt.Taken) committed.run();
                forgetNowAndThen();
                yield receipt;
            }
        };
    }

    private Receipt receive(IncomingWebhook webhook, Function<IncomingWebhook, Work> prepare) {
        Work work;
        try {
            work = prepare.apply(webhook);
        } catch (RuntimeException e) {
            return new Receipt.Failed(e);
        }
        try (Connection transaction = inbox.begin()) {
            try {
                return receive(transaction, webhook.id(), work);
            } finally {
                // After a commit there is nothing to roll back.
                if (!transaction.getAutoCommit()) transaction.rollback();
            }
        } catch (SQLException e) {
            return new Receipt.Unavailable(String.valueOf(e.getMessage()));
        }
    }

    private Receipt receive(Connection transaction, String id, Work work) throws SQLException {
        // V1: verified, and nothing on disk. A duplicate that comes meanwhile waits here for this transaction to end.
        if (!inbox.firstTime(transaction, account, id)) return new Receipt.Taken(id, false);
        try {
            work.in(transaction);
            inbox.requireNoted(transaction, account, id);
        } catch (Throwable e) {
            // An error too: the sender must not be left without an answer, nor the mark without its effect.
            if (e instanceof InterruptedException) Thread.currentThread().interrupt();
            if (e instanceof SQLException lost && !transaction.isValid(1)) throw lost;
            return new Receipt.Failed(e);
        }
        try {
            transaction.commit();
        } catch (SQLException e) {
            // A deferred constraint may be noticed only now. Else nobody knows whether it is committed: the sender
            // sends again.
            if (transaction.isValid(1)) return new Receipt.Failed(e);
            throw e;
        }
        // V2: stored, not yet acknowledged. The sender sends it again, and it is a duplicate.
        return new Receipt.Taken(id, true);
    }

    private static boolean isId(String id) {
        return !id.isEmpty() && id.length() <= LONGEST_ID && id.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"');
    }

    private void forgetNowAndThen() {
        long due = nextExpiry.get();
        if (System.nanoTime() - due < 0 || !nextExpiry.compareAndSet(due, due + BETWEEN_EXPIRIES.toNanos())) return;
        try {
            inbox.expire();
        } catch (SQLException e) {
            // It is only late; and if the database is away, the next webhook tells.
        }
    }
}
