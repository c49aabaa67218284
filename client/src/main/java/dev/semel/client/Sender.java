package dev.semel.client;

import dev.semel.client.Answer.Definitive;
import dev.semel.client.Answer.Ended;
import dev.semel.client.Answer.Refusal;
import dev.semel.client.Answer.Refused;
import dev.semel.client.Answer.StillUnknown;
import dev.semel.client.ledger.Entry;
import dev.semel.client.ledger.Ledger;
import dev.semel.client.ledger.LedgerException;
import dev.semel.client.ledger.Response;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sends one call that is written down, as often as it takes, until there is a definitive answer or no more time for it.
 * For one run, by one thread.
 */
final class Sender {
    private static final int CONFLICT = 409;

    private final ClientSettings settings;
    private final Ledger ledger;
    private final ClientTime time;
    private final Wire wire;
    private final long patienceUntil;

    private Entry.Pending entry;
    private final boolean keyIsOlder;
    private boolean mayHaveRun;
    private boolean askedForOtherCredentials;

    /** Of the last try. */
    private @Nullable Response response;

    private @Nullable Exception failure;
    private @Nullable Duration retryAfter;

    /**
     * @param entry with the try counted that is about to begin
     * @param mayHaveRun whether an earlier try that the ledger knows of may have run the operation
     * @param keyIsOlder whether the key may have been sent before this ledger knew it
     */
    Sender(ClientSettings settings, Wire wire, Entry.Pending entry, boolean mayHaveRun, boolean keyIsOlder) {
        this.settings = settings;
        this.ledger = settings.ledger();
        this.time = settings.time();
        this.wire = wire;
        this.entry = entry;
        this.mayHaveRun = mayHaveRun;
        this.keyIsOlder = keyIsOlder;
        this.patienceUntil = time.nanos() + settings.patience().toNanos();
    }

    Answer run() {
        settings.budget().called(time.now());
        for (int tries = 1; ; tries++) {
            if (!time.now().isBefore(entry.deadline())) return unknown(Ended.DEADLINE);
            if (patience().isNegative() || patience().isZero()) return unknown(Ended.PATIENCE);
            // K1: written down, not yet sent.
            Answer answer = tryOnce();
            if (answer != null) return answer;
            Ended ended = pause(tries);
            if (ended != null) return unknown(ended);
            answer = count();
            if (answer != null) return answer;
        }
    }

    /** @return null when it is to be tried again */
    private @Nullable Answer tryOnce() {
        response = null;
        failure = null;
        retryAfter = null;
        return switch (wire.send(entry, timeout())) {
            // K3: answered, not yet settled.
            case Try.Answered it -> answered(it.response());
            case Try.NotSent it -> {
                failure = it.failure();
                yield null;
            }
            case Try.NoAnswer it -> {
                failure = it.failure();
                mayHaveRun = true;
                yield null;
            }
            case Try.NoCredentials it -> {
                failure = it.failure();
                yield unknown(Ended.CREDENTIALS);
            }
            case Try.Interrupted it -> {
                mayHaveRun = true;
                yield interrupted(it.failure());
            }
        };
    }

    private Duration timeout() {
        Duration left = shorter(patience(), Duration.between(time.now(), entry.deadline()));
        return shorter(left, settings.tryTimeout());
    }

    private Duration patience() {
        return Duration.ofNanos(patienceUntil - time.nanos());
    }

    private @Nullable Answer answered(Response answer) {
        response = answer;
        // A conflict is the one answer by which a server that knows the key from before tells it apart.
        boolean conflictWithItself = keyIsOlder && answer.status() == CONFLICT;
        return switch (AnswerRules.of(answer, mayHaveRun || conflictWithItself)) {
            case Verdict.Settles it -> settled(it, answer);
            case Verdict.Refuses it -> refused(it.reason(), answer);
            case Verdict.Again it -> again(it, answer);
        };
    }

    private @Nullable Answer again(Verdict.Again verdict, Response answer) {
        mayHaveRun |= verdict.mayHaveRun();
        retryAfter = RetryAfter.of(answer, time.now());
        return null;
    }

    /** The answer is the caller's also when it cannot be written down: the server will give it again. */
    private @Nullable Answer settled(Verdict.Settles verdict, Response answer) {
        boolean recorded = false;
        try {
            while (!recorded) {
                recorded = ledger.settle(entry, answer, time.now());
                if (recorded) continue;
                Entry now = ledger.find(entry.intent());
                if (now instanceof Entry.Settled it && it.key().equals(entry.key())) return recorded(it);
                if (!(now instanceof Entry.Pending there) || !there.key().equals(entry.key())) break;
                // Someone else has begun a try meanwhile: is this the last word about that one too?
                entry = there;
                mayHaveRun = true;
                if (AnswerRules.of(answer, true) instanceof Verdict.Again it) return again(it, answer);
            }
        } catch (LedgerException e) {
            failure = e;
        }
        return new Definitive(entry.key(), answer, verdict.replayed(), recorded);
    }

    private @Nullable Answer refused(Refusal reason, Response answer) {
        if (reason == Refusal.NOT_AUTHORIZED && !askedForOtherCredentials && wire.credentials() != Credentials.NONE) {
            askedForOtherCredentials = true;
            return null;
        }
        if (reason == Refusal.KEY_SPENT) {
            settled(new Verdict.Settles(false), answer);
            return new Refused(entry.key(), reason, answer, true);
        }
        // Nothing ran under this key, so nobody has to know it any longer; unless someone else has begun a try.
        if (!mayHaveRun) mayHaveRun = !removed();
        return new Refused(entry.key(), reason, answer, mayHaveRun || keyIsOlder);
    }

    private boolean removed() {
        try {
            return ledger.remove(entry);
        } catch (LedgerException e) {
            return false;
        }
    }

    /** @return why there is no next try; null when it is time for it */
    private @Nullable Ended pause(int failed) {
        Backoff backoff = settings.backoff();
        Duration asked = retryAfter;
        Duration pause = asked == null
                ? backoff.pause(failed, settings.random())
                : backoff.pauseAfter(shorter(asked, settings.longestRetryAfter()), settings.random());
        if (!time.now().plus(pause).isBefore(entry.deadline())) return Ended.DEADLINE;
        if (pause.compareTo(patience()) >= 0) return Ended.PATIENCE;
        if (!settings.budget().take(time.now())) return Ended.BUDGET;
        try {
            time.sleep(pause);
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Ended.INTERRUPTED;
        }
    }

    /** @return null when the next try is counted; otherwise how someone else has ended it meanwhile */
    private @Nullable Answer count() {
        try {
            Entry.Pending counted = ledger.attempt(entry, time.now());
            if (counted == null) return endedElsewhere();
            if (counted.attempts() != entry.attempts() + 1) mayHaveRun = true;
            entry = counted;
            return null;
        } catch (LedgerException e) {
            failure = e;
            return unknown(Ended.LEDGER);
        }
    }

    private Answer endedElsewhere() {
        Entry now = ledger.find(entry.intent());
        if (now instanceof Entry.Settled it && it.key().equals(entry.key())) return recorded(it);
        return new Refused(entry.key(), Refusal.NOT_REMEMBERED, response, mayHaveRun);
    }

    /** What was answered before, from the ledger. */
    static Answer recorded(Entry.Settled entry) {
        Response response = entry.response();
        return AnswerRules.of(response, false) instanceof Verdict.Refuses(Refusal reason)
                ? new Refused(entry.key(), reason, response, true)
                : new Definitive(entry.key(), response, true, true);
    }

    private Answer interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        failure = e;
        return unknown(Ended.INTERRUPTED);
    }

    private Answer unknown(Ended ended) {
        return new StillUnknown(entry.key(), ended, entry.attempts(), mayHaveRun, retryAfter, response, failure);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
