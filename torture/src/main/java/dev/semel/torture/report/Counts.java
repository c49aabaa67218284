package dev.semel.torture.report;

import dev.semel.torture.history.Event;
import dev.semel.torture.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The numbers of a run, from one look at its history. */
final class Counts {
    /** So many points in time are enough for any page. */
    static final int POINTS = 240;

    long operations;
    long accepted;
    long refused;
    long open;
    final Map<AnswerKind, Long> kinds = new EnumMap<>(AnswerKind.class);
    final Map<String, Long> answers = new TreeMap<>();
    final Map<String, Long> unanswered = new TreeMap<>();
    final List<Event.Fault> faults = new ArrayList<>();
    final Map<AnswerKind, int[]> series = new EnumMap<>(AnswerKind.class);
    private long end = 1;

    private Counts() {}

    /** @param took how long the run says that it took: it may end in silence */
    static Counts of(History history, Duration took) {
        Counts counts = new Counts();
        counts.end = Math.max(1, took.toNanos());
        for (AnswerKind kind : AnswerKind.values()) counts.kinds.put(kind, 0L);
        history.forEach(it -> {
            if (!(it instanceof Event.Fault)) counts.end = Math.max(counts.end, it.at());
        });
        history.forEach(counts::count);
        counts.faults.sort(Comparator.comparingLong(Event.Fault::at));
        counts.open = counts.operations
                - counts.kinds.values().stream().mapToLong(it -> it).sum();
        return counts;
    }

    private void count(Event event) {
        switch (event) {
            case Event.Sent it -> operations++;
            case Event.Answered it -> {
                ended(AnswerKind.of(it), it.at());
                String mark = it.problem().isEmpty() ? it.replayed() ? " replayed" : "" : " " + it.problem();
                answers.merge(it.status() + mark, 1L, Long::sum);
            }
            case Event.Unanswered it -> {
                ended(AnswerKind.LOST, it.at());
                unanswered.merge(it.how(), 1L, Long::sum);
            }
            case Event.Effect it -> {
                if (it.accepted()) accepted++;
                else refused++;
            }
            case Event.Fault it -> faults.add(it);
            case Event.Settled it -> {}
        }
    }

    private void ended(AnswerKind kind, long at) {
        kinds.merge(kind, 1L, Long::sum);
        int[] counts = series.computeIfAbsent(kind, any -> new int[POINTS]);
        counts[(int) Math.min(POINTS - 1, Math.max(0, at) * (double) POINTS / end)]++;
    }

    /** When the run ended, in nanoseconds; faults may be said to last longer. */
    long end() {
        return end;
    }

    /** Operations that got an outcome, and did not have to run for it. */
    long absorbed() {
        return kinds.getOrDefault(AnswerKind.REPLAYED, 0L);
    }

    long until(Event.Fault fault) {
        return Math.max(fault.at(), Math.min(fault.until(), end));
    }
}
