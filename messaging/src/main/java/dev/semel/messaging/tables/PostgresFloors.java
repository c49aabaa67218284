package dev.semel.messaging.tables;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Up to which number there is nothing left in each shard, so that a read need not pass over what was deleted there.
 *
 * <p>A number says nothing about those below it: a transaction that drew a lower one may commit later. So a floor rises by
 * transactions. {@linkplain Mark A mark} is taken: first the last number that was drawn, then the number of a new transaction.
 * A number is drawn only by a transaction that has its own already, so up to the first all belong to transactions below the second.
 * When a later read tells that all of those have ended (its horizon), it saw whatever they committed; so what it did not find
 * below the mark will never be there.
 *
 * <p>All of that is forgotten, and everything read again, when another server answers, or other tables, or when numbers go back: the
 * database was restored, or another one has taken its place.
 */
final class PostgresFloors {
    /** Where something was read: another one after a restart, a fail-over or a restore. */
    record Source(String server, long incarnation) {}

    /**
     * @param lastNumber no number up to this one is drawn any more
     * @param transaction above all transactions that drew those numbers
     */
    record Mark(long lastNumber, long transaction, Source source) {}

    private final Map<Integer, Long> floors = new HashMap<>();
    private @Nullable Mark mark;
    private boolean served = true;

    long of(int shard) {
        return floors.getOrDefault(shard, 0L);
    }

    /** Everything is read again from the beginning. */
    void reset() {
        floors.clear();
        mark = null;
        served = true;
    }

    /** Whether the last mark has served: before, another one would only be later. */
    boolean wantsMark() {
        return served;
    }

    void mark(Mark taken) {
        if (mark != null
                && (taken.lastNumber() < mark.lastNumber() || !taken.source().equals(mark.source()))) reset();
        mark = taken;
        served = false;
    }

    /** Whether what is known was learned where this comes from. If not, this read may have left something out. */
    boolean isKnown(Source source) {
        return mark == null || mark.source().equals(source);
    }

    /**
     * A read of this shard has left nothing out.
     *
     * @param horizon below it no transaction was open any more
     * @param first the lowest number that was found; null for none
     */
    void sawAll(int shard, long horizon, @Nullable Long first) {
        if (mark == null || horizon < mark.transaction()) return;
        long bound = mark.lastNumber() + 1;
        floors.merge(shard, first == null ? bound : Math.min(bound, first), Math::max);
        served = true;
    }
}
