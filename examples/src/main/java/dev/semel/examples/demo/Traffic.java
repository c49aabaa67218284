package dev.semel.examples.demo;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

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

    void answerLost() {
        answersLost.increment();
    }

    void requestCut() {
        requestsCut.increment();
    }

    /** A request got through; its first bytes are looked at for the key only, and only for the statistics. */
    void requestArrived(byte[] bytes, int length) {
        arrived.increment();
        Matcher key = KEY.matcher(new String(bytes, 0, length, ISO_8859_1));
        if (key.find() && !keys.add(key.group(1))) repeats.increment();
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
