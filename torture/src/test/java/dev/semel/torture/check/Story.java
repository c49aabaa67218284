package dev.semel.torture.check;

import dev.semel.torture.history.Event;
import dev.semel.torture.history.History;
import dev.semel.torture.history.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** One key, told event by event; each happens one tick after the one before. */
final class Story {
    private final Promise promise;
    private final List<Event> events = new ArrayList<>();
    private long now = 100;
    private int calls;

    private Story(Promise promise) {
        this.promise = promise;
    }

    static Story of(Promise promise) {
        return new Story(promise);
    }

    /** Calls are numbered from 0. */
    Story sent() {
        return sent(1);
    }

    Story sent(int payload) {
        return with(new Event.Sent(now, calls++, 1, "k", payload, promise, "g1"));
    }

    Story effect(int attempt, String body) {
        return effect(attempt, 1000 + attempt, 1, body);
    }

    Story effect(int attempt, long token, int payload, String body) {
        return with(new Event.Effect(now, "k", payload, token, attempt, true, body));
    }

    Story refused(int attempt, long token) {
        return with(new Event.Effect(now, "k", 1, token, attempt, false, "refused"));
    }

    Story fresh(int call, String body) {
        return with(new Event.Answered(now, call, 201, "", false, body));
    }

    Story replay(int call, String body) {
        return with(new Event.Answered(now, call, 201, "", true, body));
    }

    Story answer(int call, int status, String problem) {
        return with(new Event.Answered(now, call, status, problem, false, "p-" + problem));
    }

    Story lost(int call) {
        return with(new Event.Unanswered(now, call, "reset"));
    }

    Story settled(String body) {
        return with(new Event.Settled(now, "k", 201, "", body));
    }

    Story settled(int status, String problem) {
        return with(new Event.Settled(now, "k", status, problem, "p-" + problem));
    }

    Story with(Event event) {
        events.add(event);
        now++;
        return this;
    }

    /** A call that runs and is answered. */
    Story done() {
        int call = calls;
        return sent().effect(1, "b").fresh(call, "b");
    }

    /** A replica took over since then, and until now. */
    Story failOverSince(long at) {
        return with(new Event.Fault(at, now, Event.Fault.FAIL_OVER, "shard-1"));
    }

    long now() {
        return now;
    }

    CheckResult check() {
        return Checker.check(history());
    }

    /** The same on a store that may lose at a fail-over what it has acknowledged. */
    CheckResult checkWithLosses() {
        History history = history();
        return Checker.check(history, Losses.atFailOvers(history));
    }

    private History history() {
        History history = new History();
        events.forEach(history::append);
        return history;
    }

    /** The sentences of the laws that it breaks. */
    Set<String> broken() {
        return check().violations().stream().map(Violation::law).collect(Collectors.toCollection(TreeSet::new));
    }
}
