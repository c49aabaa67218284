package dev.semel.core.move;

import dev.semel.core.key.Guarantee;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.store.Change;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a move leaves in a store: a <b>seal</b> where a key was, and for moments a <b>place</b> where it is going to be. Both
 * are held by nobody, for so long that no sweep and no claim ever finds their lease run out. A process that uses
 * only the store with the seal runs nothing: to it the store is unavailable for this key.
 *
 * <p>A seal keeps what it was put over until that is written in the other store, so that whoever comes next can finish a move
 * that was cut off. Its token is one higher than the key's own: nobody who held the key there is heard any more.
 */
public final class MoveMark {
    /** How long a mark stays: as good as for ever, and still a time that every store can keep. */
    static final Duration FOR_EVER = Duration.ofDays(3650);

    private static final String LEFT = KeyState.Held.SEAL;
    private static final String ARRIVING = "semel:arriving";

    /** Stores have room for so many bytes of a holder's name; the rest is for numbers. */
    private static final int LONGEST_HOLDER = 120;

    private MoveMark() {}

    /** Whether a key has left this store: what is decided about it is decided in another one. */
    public static boolean isLeft(KeyRecord record) {
        return textOf(record).startsWith(LEFT);
    }

    /** Whether this is no record of a key's life, but a mark of either kind. */
    public static boolean isMark(KeyRecord record) {
        return isLeft(record) || textOf(record).equals(ARRIVING);
    }

    /** The name of whoever holds a key that has not arrived yet. */
    static String arriving() {
        return ARRIVING;
    }

    /** The name of whoever holds a key that has left, and nothing of which is left. */
    static String left() {
        return LEFT;
    }

    private static String textOf(KeyRecord record) {
        if (record.state() instanceof KeyState.Held held) return held.holder();
        boolean mayBeSealed = record.state() instanceof KeyState.Done
                && !record.memo().isEmpty()
                && !record.memo().isSealed();
        return mayBeSealed ? new String(record.memo().payload(), StandardCharsets.UTF_8) : "";
    }

    /** The seal over a key that may still change: held, free or in doubt. */
    static Change over(Seen seen) {
        KeyRecord record = seen.record();
        String begun = LEFT + ":" + micros(seen.now()) + ":";
        return switch (record.state()) {
            case KeyState.Free it -> heldBy(begun + "F:" + micros(it.forgetAt()), record, record.history());
            case KeyState.Held it ->
                heldBy(begun + "H:" + micros(it.leaseUntil()) + ":" + cut(it.holder()), record, record.history());
            case KeyState.InDoubt it ->
                heldBy(
                        begun + "D:" + micros(it.nextProbe()) + ":" + it.probes(),
                        record,
                        record.history().with(seen.now(), LEFT, it.reason()));
            case KeyState.Done it ->
                new Change(
                        record.fingerprint(),
                        record.token() + 1,
                        record.attempt(),
                        false,
                        memo(begun + "P:" + micros(it.replayUntil()) + ":" + micros(it.forgetAt())),
                        record.history(),
                        new Next.Done(it.outcome(), FOR_EVER, Duration.ZERO, record.since()));
            case KeyState.Spent it -> throw new IllegalArgumentException("A tombstone does not change: " + record.id());
        };
    }

    private static Change heldBy(String holder, KeyRecord record, History history) {
        Guarantee guarantee = record.state() instanceof KeyState.Held held ? held.guarantee() : Guarantee.AT_MOST_ONCE;
        return new Change(
                record.fingerprint(),
                record.token() + 1,
                record.attempt(),
                record.remote(),
                record.memo(),
                history,
                new Next.Held(holder, FOR_EVER, guarantee, record.since()));
    }

    private static String cut(String holder) {
        return holder.length() > LONGEST_HOLDER ? holder.substring(0, LONGEST_HOLDER) : holder;
    }

    private static Memo memo(String text) {
        return Memo.of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The same seal when what was below it stands in the other store. */
    static Change finished(KeyRecord seal) {
        if (seal.state() instanceof KeyState.Done done)
            return new Change(
                    seal.fingerprint(),
                    seal.token(),
                    seal.attempt(),
                    false,
                    memo(LEFT),
                    seal.history(),
                    new Next.Done(done.outcome(), FOR_EVER, Duration.ZERO, seal.since()));
        return empty(seal, seal.token());
    }

    /** A seal over a record that counts as absent: nothing of it has to be kept but that its tokens grow. */
    static Change empty(KeyRecord record, long token) {
        return new Change(record.fingerprint(), token, record.attempt(), new Next.Held(LEFT, FOR_EVER, null));
    }

    /**
     * What is below a seal: the record as it was, and the same moment as that of the look.
     *
     * @return null when it stands in the other store
     */
    static @Nullable Seen below(Seen seen) {
        KeyRecord seal = seen.record();
        String[] parts = textOf(seal).split(":", 6);
        if (parts.length < 5) return null;
        Instant time = instant(parts[4]);
        KeyState state = switch (parts[3]) {
            case "F" -> new KeyState.Free(time);
            case "H" -> new KeyState.Held(parts[5], time, ((KeyState.Held) seal.state()).guarantee());
            case "D" -> new KeyState.InDoubt(lastRemark(seal), Integer.parseInt(parts[5]), time);
            case "P" -> new KeyState.Done(((KeyState.Done) seal.state()).outcome(), time, instant(parts[5]));
            default -> throw new IllegalStateException("This seal cannot be read: " + textOf(seal));
        };
        boolean doubtful = state instanceof KeyState.InDoubt;
        KeyRecord record = new KeyRecord(
                seal.id(),
                seal.fingerprint(),
                seal.token() - 1,
                seal.attempt(),
                seal.revision(),
                seal.since(),
                seal.remote(),
                state instanceof KeyState.Done ? Memo.NONE : seal.memo(),
                doubtful ? withoutLast(seal.history()) : seal.history(),
                state);
        return new Seen(record, seen.now());
    }

    private static String lastRemark(KeyRecord seal) {
        return seal.history().remarks().getLast().what();
    }

    private static History withoutLast(History history) {
        List<History.Remark> remarks = history.remarks();
        History shorter = History.NONE;
        for (History.Remark it : remarks.subList(0, remarks.size() - 1))
            shorter = shorter.with(it.at(), it.by(), it.what());
        return shorter;
    }

    /** When a seal was put, by the clock of its store. */
    static Instant putAt(KeyRecord seal) {
        return instant(textOf(seal).split(":", 4)[2]);
    }

    private static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    private static Instant instant(String micros) {
        return Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS);
    }
}
