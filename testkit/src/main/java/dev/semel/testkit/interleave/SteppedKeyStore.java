package dev.semel.testkit.interleave;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.move.MoveMark;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store on a {@link Stage}: before and after each call another actor may come in, and now and then an answer is lost.
 * Keeps every record that was ever written, and fails at once when two of them break a law.
 */
final class SteppedKeyStore extends ForwardingKeyStore {
    /** So few that a claim always reads its own fate back, and leaves nothing to the background. */
    static final int MOST_FAULTS_PER_ACTOR = 2;

    private final Stage stage;
    private final Random random;
    private final int faultsPerHundred;
    private final int mostFaults;
    private final List<KeyRecord> history = new ArrayList<>();

    SteppedKeyStore(KeyStore store, Stage stage, Random random, int faultsPerHundred, int mostFaults) {
        super(store);
        this.stage = stage;
        this.random = random;
        this.faultsPerHundred = faultsPerHundred;
        this.mostFaults = mostFaults;
    }

    List<KeyRecord> history() {
        return history;
    }

    private <A> A call(Supplier<A> call) {
        stage.step();
        boolean faulty = random.nextInt(100) < faultsPerHundred && stage.mayFail(mostFaults);
        if (faulty && random.nextBoolean()) throw StoreException.unknown("lost on the way there", null);
        A answer = call.get();
        stage.step();
        if (faulty) throw StoreException.unknown("lost on the way back", null);
        return answer;
    }

    private KeyRecord written(KeyRecord record) {
        if (!history.isEmpty()) mayFollow(history.getLast(), record);
        history.add(record);
        return record;
    }

    private static void mayFollow(KeyRecord before, KeyRecord after) {
        // Marks of a move are no part of the key's life.
        if (MoveMark.isMark(before) || MoveMark.isMark(after)) return;
        if (after.revision() <= before.revision())
            throw new AssertionError("a revision did not grow: " + before + " -> " + after);
        if (after.token() < before.token()) throw new AssertionError("a token shrank: " + before + " -> " + after);
        boolean newHold = after.state() instanceof KeyState.Held next
                && !(before.state() instanceof KeyState.Held last
                        && last.holder().equals(next.holder()));
        if (newHold && after.token() == before.token())
            throw new AssertionError("two holders, one token: " + before + " -> " + after);
        if (before.state() instanceof KeyState.Done)
            throw new AssertionError("an outcome changed: " + before + " -> " + after);
        if (!after.fingerprint().equals(before.fingerprint()))
            throw new AssertionError("the first fingerprint did not stay");
    }

    @Override
    public Inserted insert(NewKey key) {
        return call(() -> {
            Inserted inserted = behind().insert(key);
            if (inserted instanceof Inserted.Fresh fresh) written(fresh.record());
            return inserted;
        });
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        return call(() -> {
            Replaced replaced = behind().replace(seen, change);
            if (replaced instanceof Replaced.Swapped swapped) written(swapped.record());
            return replaced;
        });
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        return this.<List<Seen>>call(() -> behind().findAll(List.of(id))).stream()
                .findFirst()
                .orElse(null);
    }

    @Override
    public void close() {}
}
