package dev.semel.core;

import dev.semel.core.ClaimRules.Ruling;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How a holder's word gets into the store: as its rule says, however often the store has to be asked. */
final class Settling {
    private final KeyStore store;
    private final SemelListener listener;
    private final LeaseKeeper keeper;
    private final WaitingRooms rooms;
    private final UnfinishedWork unfinished;
    private final DoubtWatch doubts;
    private final Duration patience;
    private final Duration retryPause;

    Settling(
            KeyStore store,
            SemelListener listener,
            LeaseKeeper keeper,
            WaitingRooms rooms,
            UnfinishedWork unfinished,
            DoubtWatch doubts,
            Duration patience,
            Duration retryPause) {
        this.store = store;
        this.listener = listener;
        this.keeper = keeper;
        this.rooms = rooms;
        this.unfinished = unfinished;
        this.doubts = doubts;
        this.patience = patience;
        this.retryPause = retryPause;
    }

    /** A rule about what the store has now: null when it has nothing. */
    interface Rule extends Function<@Nullable KeyRecord, Ruling<Settled>> {}

    /**
     * Writes the word of a holder in this process. When the store does not take it soon, that goes on in the background,
     * and the holder waits for it no longer than its patience lasts, however long a single try takes.
     */
    Settled settle(Lease lease, String word, Rule rule) {
        long deadline = System.nanoTime() + patience.toNanos();
        Settled first = writeOrLetGo(lease, false, rule, patientFor(patience.dividedBy(5)));
        if (!(first instanceof Settled.Unrecorded)) {
            finish(lease, first);
            return first;
        }
        CompletableFuture<Settled> later = new CompletableFuture<>();
        boolean taken = unfinished.add(
                new UnfinishedWork.Word(lease.id(), lease.token(), word), () -> later.complete(goOn(lease, rule)));
        if (!taken) keeper.remove(lease);
        Settled settled = taken ? awaitUntil(deadline, later, first) : first;
        if (settled == first) listener.on(new SemelEvent.LeaseSettled(lease.id(), lease.token(), first));
        return settled;
    }

    private Settled goOn(Lease lease, Rule rule) {
        Settled settled = writeOrLetGo(lease, true, rule, unfinished::isOpen);
        finish(lease, settled);
        return settled;
    }

    private static Settled awaitUntil(long deadline, CompletableFuture<Settled> later, Settled otherwise) {
        try {
            return later.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return otherwise;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return otherwise;
        } catch (ExecutionException e) {
            throw new IllegalStateException("What is settled later is a value.", e);
        }
    }

    /** A failure that no store should have must not leave an attempt running for ever. */
    private Settled writeOrLetGo(Lease lease, boolean look, Rule rule, BooleanSupplier patient) {
        try {
            return write(lease.record(), look, rule, patient);
        } catch (RuntimeException | Error e) {
            keeper.remove(lease);
            throw e;
        }
    }

    private void finish(Lease lease, Settled settled) {
        keeper.remove(lease);
        announce(lease.record(), settled);
    }

    /** Writes the word of a holder elsewhere, who asks again when told that it is not recorded. */
    Settled settle(KeyRecord seen, Rule rule) {
        Settled settled = write(seen, false, rule, patientFor(patience));
        announce(seen, settled);
        return settled;
    }

    private void announce(KeyRecord last, Settled settled) {
        if (settled instanceof Settled.Accepted accepted) {
            KeyRecord record = accepted.record();
            rooms.tell(record.id(), Optional.of(new Seen(record, record.since())));
            if (record.state().kind() == KeyState.Kind.IN_DOUBT) doubts.began(record);
        }
        listener.on(new SemelEvent.LeaseSettled(last.id(), last.token(), settled));
    }

    Settled renew(KeyRecord record, Duration lease) {
        return write(record, false, seen -> ClaimRules.onRenew(seen, record.token(), lease), () -> false);
    }

    private static BooleanSupplier patientFor(Duration time) {
        long deadline = System.nanoTime() + time.toNanos();
        return () -> System.nanoTime() - deadline < 0;
    }

    /** @param look whether to look before the first try, or to go by the record that the holder has */
    Settled write(KeyRecord last, boolean look, Rule rule, BooleanSupplier patient) {
        KeyRecord seen = last;
        boolean lookFirst = look;
        boolean inDoubt = false;
        Backoff backoff = new Backoff(retryPause);
        while (true) {
            try {
                if (lookFirst) seen = recordOf(store.find(last.id()));
                lookFirst = false;
                switch (rule.apply(seen)) {
                    case Ruling.Answer<Settled>(Settled answer) -> {
                        return inDoubt ? doubtEnded(answer) : answer;
                    }
                    case Ruling.Become<Settled>(var change) -> {
                        KeyRecord from = Objects.requireNonNull(seen, "only a record can change");
                        inDoubt = from.state() instanceof KeyState.InDoubt;
                        switch (store.replace(from, change)) {
                            case Replaced.Swapped it -> {
                                Settled accepted = new Settled.Accepted(it.record());
                                return inDoubt ? doubtEnded(accepted) : accepted;
                            }
                            case Replaced.Moved it -> seen = recordOf(it.current());
                        }
                    }
                }
            } catch (StoreException e) {
                // C2: the write may have happened. Look before trying again; the rule knows its own work.
                lookFirst = true;
                if (!patient.getAsBoolean()) return new Settled.Unrecorded(e);
                backoff.pause();
            }
        }
    }

    private Settled doubtEnded(Settled settled) {
        if (!(settled instanceof Settled.Accepted accepted)) return settled;
        KeyRecord record = accepted.record();
        switch (record.state().kind()) {
            case DONE -> listener.on(new SemelEvent.DoubtEnded(record, SemelEvent.EndedBy.LATE_ANSWER));
            case FREE -> listener.on(new SemelEvent.DoubtEnded(record, SemelEvent.EndedBy.RELEASED));
            case HELD, IN_DOUBT, SPENT -> {}
        }
        return settled;
    }

    /** As it counts now; null when nothing is there, or what is there is forgotten. */
    static @Nullable KeyRecord recordOf(@Nullable Seen seen) {
        return seen == null ? null : seen.record().asOf(seen.now());
    }
}
