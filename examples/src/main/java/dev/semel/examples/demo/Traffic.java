package dev.semel.examples.demo;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the network saw and did. Safe for use by many threads. */
final class Traffic {
    private static final Pattern KEY = Pattern.compile("(?im)^idempotency-key: *(\\S+)");

    private final LongAdder answersLost = new LongAdder();
    private final LongAdder requestsCut = new LongAdder();
    private final LongAdder repeats = new LongAdder();
    private final LongAdder arrived = new LongAdder();
    private final Set<String> keys = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> seen = new ConcurrentHashMap<>();

    void answerLost() {
        answersLost.increment();
    }

    void requestCut() {
        requestsCut.increment();
    }

    /** The key of a request that begins with these bytes; empty when there is none. */
    static String keyIn(byte[] bytes, int length) {
        Matcher key = KEY.matcher(new String(bytes, 0, length, ISO_8859_1));
        return key.find() ? key.group(1) : "";
    }

    /** A request is on its way: tells how many with this key came before it. */
    int requestBegins(String key) {
        return seen.merge(key, 1, Integer::sum) - 1;
    }

    void requestArrived(String key) {
        arrived.increment();
        if (!key.isEmpty() && !keys.add(key)) repeats.increment();
    }

    long answersLost() {
        return answersLost.sum();
    }

    long requestsCut() {
        return requestsCut.sum();
    }

    long arrived() {
        return arrived.sum();
    }

    /** Requests that arrived with a key that had arrived before. */
    long repeats() {
        return repeats.sum();
    }
}
