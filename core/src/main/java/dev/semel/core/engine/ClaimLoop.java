package dev.semel.core.engine;

import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.JoinedTransaction;
import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.doubt.Doubts;
import dev.semel.core.key.Guarantee;
import dev.semel.core.quota.TenantQuotas;
import dev.semel.core.store.KeyStore;
import dev.semel.core.time.EngineTime;
import dev.semel.core.waiting.InFlightWait;
import dev.semel.core.waiting.WaitingRooms;
import java.time.Duration;

/** How a claim is answered: in rounds of its own, with what they share. */
public final class ClaimLoop {
    final KeyStore store;
    final SemelListener listener;
    final HeldLeases held;
    final WaitingRooms rooms;
    final HolderWrites writes;
    final GivenUpClaims givenUp;
    final Doubts doubts;
    final TenantQuotas quotas;
    final EngineTime time;
    private final HolderNames holders;

    public ClaimLoop(
            KeyStore store,
            SemelListener listener,
            HeldLeases held,
            WaitingRooms rooms,
            HolderWrites writes,
            GivenUpClaims givenUp,
            Doubts doubts,
            TenantQuotas quotas,
            EngineTime time) {
        this.store = store;
        this.listener = listener;
        this.held = held;
        this.rooms = rooms;
        this.writes = writes;
        this.givenUp = givenUp;
        this.doubts = doubts;
        this.quotas = quotas;
        this.time = time;
        this.holders = HolderNames.on(store);
    }

    public Claim claim(ClaimRequest request) {
        if (request.policy().guarantee() == Guarantee.JOINED)
            throw new IllegalStateException(
                    "An operation whose guarantee is 'joined' needs a transaction to join: call joining(connection)"
                            + " first.");
        try (InFlightWait wait = rooms.waitFor(request.id(), request.policy().waitFor())) {
            String holder = request.remote() ? holders.nextRemote() : holders.next();
            Claim answer = new LeasedRound(this, request, holder, wait).answer();
            return told(request, answer, wait.waited());
        }
    }

    /** The same as a part of a database transaction. */
    public Claim claim(ClaimRequest request, JoinedTransaction transaction) {
        try (InFlightWait wait = rooms.waitFor(request.id(), request.policy().waitFor())) {
            JoinedRound round = new JoinedRound(this, request, holders.next(), wait, transaction);
            Claim answer = round.answer();
            return told(request, answer, round.waited());
        }
    }

    private Claim told(ClaimRequest request, Claim answer, Duration waited) {
        Claim exact = answer instanceof Claim.AlreadyDone done && !waited.isZero() ? done.after(waited) : answer;
        listener.on(new SemelEvent.Claimed(request.id(), exact, waited));
        return exact;
    }
}
