package dev.semel.torture.client;

import dev.semel.torture.history.Promise;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;

/** All operations of a run, by the time of their making. Safe for use by any thread. */
public final class Operations {
    private static final int RECENT = 200;

    private final String prefix;
    private final List<Kind> kinds;
    private final List<Operation> all = new ArrayList<>();

    private record Kind(Door door, Promise promise) {}

    private Operations(String prefix, List<Kind> kinds) {
        this.prefix = prefix;
        this.kinds = kinds;
    }

    /** With keys that no run which began at another time has. */
    public static Operations ofRun(long beganMillis, Collection<Door> doors, List<Promise> promises) {
        List<Kind> kinds = new ArrayList<>();
        for (Door door : doors)
            for (Promise promise : door.promises()) if (promises.contains(promise)) kinds.add(new Kind(door, promise));
        return new Operations("t" + Long.toString(beganMillis, Character.MAX_RADIX) + "-", kinds);
    }

    synchronized Operation fresh(Random random) {
        int number = all.size();
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        Operation made = new Operation(prefix + number, 2 * number, kind.door(), kind.promise());
        all.add(made);
        return made;
    }

    /** One that others are busy with. */
    synchronized Operation recent(Random random) {
        if (all.isEmpty()) return fresh(random);
        return all.get(all.size() - 1 - random.nextInt(Math.min(RECENT, all.size())));
    }

    synchronized Operation old(Random random) {
        return all.isEmpty() ? fresh(random) : all.get(random.nextInt(all.size()));
    }

    public synchronized int count() {
        return all.size();
    }

    public synchronized List<Operation> all() {
        return List.copyOf(all);
    }
}
