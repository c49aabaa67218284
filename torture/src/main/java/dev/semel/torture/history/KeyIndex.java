package dev.semel.torture.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Where the events of each key are. Sorted by counting: the time it takes grows with the events, and no faster. */
final class KeyIndex {
    private static final int NO_OWNER = -1;

    private final History history;
    private final List<Event> strays = new ArrayList<>();

    /** By event: the name of its key, and where it stands. */
    private int[] owners;

    private long[] places;
    private int count;

    /** By call: the name of its key. */
    private int[] keysOfCalls = new int[1024];

    KeyIndex(History history) {
        this.history = history;
        this.owners = new int[history.size()];
        this.places = new long[owners.length];
        Arrays.fill(keysOfCalls, NO_OWNER);
        history.visit(this::note);
    }

    private void note(Event event, int block, int offset) {
        if (count == owners.length) {
            owners = Arrays.copyOf(owners, count * 2 + 16);
            places = Arrays.copyOf(places, owners.length);
        }
        owners[count] = owner(event);
        places[count++] = (long) block << 32 | offset;
    }

    private int owner(Event event) {
        return switch (event) {
            case Event.Sent it -> ownCall(it, history.nameOf(it.key()));
            case Event.Answered it -> ownerOfCall(it.call(), it);
            case Event.Unanswered it -> ownerOfCall(it.call(), it);
            case Event.Effect it -> history.nameOf(it.key());
            case Event.Settled it -> history.nameOf(it.key());
            case Event.Fault it -> NO_OWNER;
        };
    }

    private int ownCall(Event.Sent sent, int key) {
        int call = sent.call();
        if (call >= keysOfCalls.length) {
            int before = keysOfCalls.length;
            keysOfCalls = Arrays.copyOf(keysOfCalls, Math.max(call + 1, before * 2));
            Arrays.fill(keysOfCalls, before, keysOfCalls.length, NO_OWNER);
        }
        if (keysOfCalls[call] != NO_OWNER) strays.add(sent);
        keysOfCalls[call] = key;
        return key;
    }

    private int ownerOfCall(int call, Event end) {
        int key = call < keysOfCalls.length ? keysOfCalls[call] : NO_OWNER;
        if (key == NO_OWNER) strays.add(end);
        return key;
    }

    List<Event> strays() {
        return strays;
    }

    void forEach(Consumer<KeyHistory> look) {
        int[] ends = new int[history.nameCount() + 1];
        for (int i = 0; i < count; i++) if (owners[i] != NO_OWNER) ends[owners[i] + 1]++;
        for (int key = 1; key < ends.length; key++) ends[key] += ends[key - 1];
        int[] sorted = sorted(ends);
        int begin = 0;
        for (int key = 0; key < ends.length; key++) {
            if (ends[key] > begin) look.accept(KeyHistory.of(events(sorted, begin, ends[key])));
            begin = ends[key];
        }
    }

    /** The events by key. What was where a key begins is then where it ends. */
    private int[] sorted(int[] next) {
        int[] sorted = new int[next[next.length - 1]];
        for (int i = 0; i < count; i++) if (owners[i] != NO_OWNER) sorted[next[owners[i]]++] = i;
        return sorted;
    }

    private List<Event> events(int[] sorted, int from, int to) {
        List<Event> events = new ArrayList<>(to - from);
        for (int i = from; i < to; i++) {
            long place = places[sorted[i]];
            events.add(Objects.requireNonNull(history.at((int) (place >>> 32), (int) place)));
        }
        return events;
    }
}
