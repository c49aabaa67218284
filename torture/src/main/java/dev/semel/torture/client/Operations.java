package dev.semel.torture.client;

import dev.semel.torture.history.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** All operations of a run, by the time of their making. Safe for use by any thread. */
public final class Operations {
    private static final int RECENT = 200;
    private static final Promise[] PROMISES = {Promise.AT_MOST_ONCE, Promise.AT_MOST_ONCE_PROBED, Promise.AT_LEAST_ONCE
    };

    private final String prefix;
    private final List<Operation> all = new ArrayList<>();

    private Operations(String prefix) {
        this.prefix = prefix;
    }

    /** With keys that no run which began at another time has. */
    public static Operations ofRun(long beganMillis) {
        return new Operations("t" + Long.toString(beganMillis, Character.MAX_RADIX) + "-");
    }

    synchronized Operation fresh(Random luck) {
        int number = all.size();
        Operation made = new Operation(prefix + number, 2 * number, PROMISES[luck.nextInt(PROMISES.length)]);
        all.add(made);
        return made;
    }

    /** One that others are busy with. */
    synchronized Operation recent(Random luck) {
        if (all.isEmpty()) return fresh(luck);
        return all.get(all.size() - 1 - luck.nextInt(Math.min(RECENT, all.size())));
    }

    synchronized Operation old(Random luck) {
        return all.isEmpty() ? fresh(luck) : all.get(luck.nextInt(all.size()));
    }

    public synchronized int count() {
        return all.size();
    }

    public synchronized List<Operation> all() {
        return List.copyOf(all);
    }
}
