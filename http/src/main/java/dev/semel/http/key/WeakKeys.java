package dev.semel.http.key;

import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Notices keys that were chosen badly, so that two operations may come to share one. It judges by the look of a key, and
 * refuses nothing: what it finds is counted, and told to a listener at most once an hour for each kind and route.
 *
 * <p>UUIDs and long mixed keys are not weak. Safe for use by any thread, without locks on the way; memory is bounded,
 * and holds neither keys nor tenants.
 */
public final class WeakKeys {
    private static final long QUIET_MILLIS = Duration.ofHours(1).toMillis();

    /** Beyond any configuration. More routes are counted, but not told of. */
    private static final int MAX_ROUTES = 10_000;

    private final InstantSource clock;
    private final Consumer<Finding> listener;
    private final LastNumbers lastNumbers = new LastNumbers();
    private final Map<Kind, Tally> tallies = new EnumMap<>(Kind.class);

    /** @param quietUntil by route, in milliseconds of the clock: until then nothing is told of it */
    private record Tally(LongAdder count, Map<String, AtomicLong> quietUntil) {}

    /** What is wrong with a key. One key may be weak in several ways. */
    public enum Kind {
        /** Few characters, or few different ones. */
        SHORT,
        /** A time, and nothing else. */
        TIME,
        /** The number after the last one, or nearly. */
        SEQUENTIAL
    }

    /**
     * A weak key was seen.
     *
     * @param shape what kinds of characters the key begins with, {@code aaaaa-9999}; none of the key itself
     */
    public record Finding(Kind kind, String route, String shape) {}

    /** @param listener called on the thread of the request: it must be quick and must not throw */
    public WeakKeys(InstantSource clock, Consumer<Finding> listener) {
        this.clock = clock;
        this.listener = listener;
        for (Kind kind : Kind.values()) tallies.put(kind, new Tally(new LongAdder(), new ConcurrentHashMap<>()));
    }

    /** Looks at the key of a request. A retry counts like any other request. */
    public void note(String route, String tenant, String key) {
        KeyTraits traits = new KeyTraits(key);
        if (UuidText.isUuid(key)) {
            if (traits.isMonotonous()) found(Kind.SHORT, route, traits);
            return;
        }
        if (traits.isShort()) found(Kind.SHORT, route, traits);
        if (traits.isTime(clock)) found(Kind.TIME, route, traits);
        if (lastNumbers.follows(route, tenant, key)) found(Kind.SEQUENTIAL, route, traits);
    }

    private void found(Kind kind, String route, KeyTraits traits) {
        Tally tally = tally(kind);
        tally.count.increment();
        if (isNews(route, tally.quietUntil)) listener.accept(new Finding(kind, route, traits.shape()));
    }

    /** True for one caller an hour, however many ask at once. */
    private boolean isNews(String route, Map<String, AtomicLong> quietUntil) {
        AtomicLong quiet = quietUntil.get(route);
        if (quiet == null) {
            if (quietUntil.size() >= MAX_ROUTES) return false;
            quiet = quietUntil.computeIfAbsent(route, name -> new AtomicLong(Long.MIN_VALUE));
        }
        long now = clock.millis();
        long until = quiet.get();
        return now >= until && quiet.compareAndSet(until, now + QUIET_MILLIS);
    }

    /** How many weak keys of this kind were seen since the start. */
    public long count(Kind kind) {
        return tally(kind).count.sum();
    }

    private Tally tally(Kind kind) {
        return Objects.requireNonNull(tallies.get(kind));
    }
}
