package dev.semel.examples.demo;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What the customers of one side saw and did. Safe for use by many threads. */
final class Tally {
    final LongAdder refused = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder timeOuts = new LongAdder();
    final LongAdder replays = new LongAdder();
    final LongAdder conflicts = new LongAdder();
    /** The keys of all payments that were begun. */
    final Set<String> wanted = ConcurrentHashMap.newKeySet();
    /** The keys of the payments that were answered with success. */
    final Set<String> paid = ConcurrentHashMap.newKeySet();
}
