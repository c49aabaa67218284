package dev.semel.core.engine;

import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.JoinedTransaction;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.quota.TenantQuotas;
import dev.semel.core.quota.TenantQuotas.Entry;
import dev.semel.core.rules.ClaimRules;
import dev.semel.core.store.Change;
import dev.semel.core.store.JoiningKeyStore;
import dev.semel.core.store.JoiningKeyStore.Joined;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.waiting.InFlightWait;
import dev.semel.core.waiting.InFlightWait.News;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A claim as a part of the caller's transaction: the key is reserved there, and nothing is written before the outcome. */
final class JoinedRound extends ClaimRound {
    private static final Duration LONGEST_IDLE = Duration.ofSeconds(1);
    private static final Duration NOTICEABLE = Duration.ofMillis(2);

    private final JoinedTransaction transaction;
    private final JoiningKeyStore store;
    private final long began;
    private Instant now = Instant.EPOCH;
    private Instant transactionBegan = Instant.EPOCH;

    JoinedRound(ClaimLoop loop, ClaimRequest request, String holder, InFlightWait wait, JoinedTransaction transaction) {
        super(loop, request, holder, wait);
        this.transaction = transaction;
        this.store = requireJoining(loop.store.joining());
        this.began = loop.time.nanos();
    }

    private static JoiningKeyStore requireJoining(@Nullable JoiningKeyStore store) {
        if (store == null)
            throw new IllegalStateException(
                    "This store cannot be part of a database transaction; an operation can join one only where the keys"
                            + " are in the same database, and in one store: not while they move from another.");
        return store;
    }

    Claim answer() {
        requireTransaction();
        switch (store.join(transaction.connection(), request.id(), policy.waitFor())) {
            case Joined.Busy it -> {
                return new Claim.InProgress(loop.time.instant(), ClaimRules.RETRY_SOON);
            }
            case Joined.Alone it -> {
                seen = it.seen();
                now = it.now();
                transactionBegan = it.began();
            }
        }
        while (true) {
            Claim answer = seen == null ? first() : judge(seen);
            if (answer != null) return answer;
        }
    }

    private void requireTransaction() {
        try {
            if (!transaction.connection().getAutoCommit()) return;
        } catch (SQLException e) {
            throw StoreException.notApplied("The connection to join cannot be used: " + e.getMessage(), e);
        }
        throw new IllegalStateException(
                "There is no transaction to join: the connection is in auto-commit mode. Call setAutoCommit(false), or"
                        + " begin a transaction the way your framework does, and commit it afterwards.");
    }

    /** How long the claim waited for another attempt to end, inside the database or here. */
    Duration waited() {
        Duration took = Duration.ofNanos(loop.time.nanos() - began);
        return wait.waited().isZero() && took.compareTo(NOTICEABLE) < 0 ? Duration.ZERO : took;
    }

    /** In slices, with a word to the server between them: it may end a transaction that is idle for long. */
    @Override
    News awaitNews() {
        News news = wait.await(LONGEST_IDLE);
        if (news instanceof News.Judge
                && store.join(transaction.connection(), request.id(), Duration.ZERO) instanceof Joined.Alone it)
            now = it.now();
        return news;
    }

    private @Nullable Claim first() {
        return switch (loop.quotas.enter(request, TenantQuotas.Write.NEW)) {
            case Entry.Refused it -> it.answer();
            case Entry.LookFirst it -> throw new IllegalStateException("A key that is not there was looked for.");
            case Entry.Open(TenantQuotas.Permit permit) ->
                grant(null, request.fingerprint(), NewKey.firstToken(now), 1, History.NONE, permit);
        };
    }

    @Override
    @Nullable
    Claim take(Seen present, Change change) {
        return switch (loop.quotas.enter(request, TenantQuotas.Write.AGAIN)) {
            case Entry.Refused it -> it.answer();
            case Entry.LookFirst it -> throw new IllegalStateException("A key that is there was looked at.");
            case Entry.Open(TenantQuotas.Permit permit) ->
                grant(
                        present.record(),
                        change.fingerprint(),
                        tokenAbove(change),
                        change.attempt(),
                        change.history(),
                        permit);
        };
    }

    /** Nothing of this grant is recorded before its outcome, so another may be given meanwhile: not with the same token. */
    private long tokenAbove(Change change) {
        return Math.max(change.token(), NewKey.firstToken(now));
    }

    private Claim.Granted grant(
            @Nullable KeyRecord found,
            Fingerprint fingerprint,
            long token,
            int attempt,
            History history,
            TenantQuotas.Permit permit) {
        JoinedHold hold = new JoinedHold(request.id(), fingerprint, token, attempt, history, found, transactionBegan);
        return new Claim.Granted(new JoinedLease(store, transaction, hold, policy, loop.writes, loop.listener, permit));
    }
}
