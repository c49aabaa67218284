package dev.semel.torture.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one key, everything by time.
 *
 * @param promise what its first call was promised; the default of a route when there is no call
 * @param doubled ends of calls that had ended before
 */
public record KeyHistory(
        String key,
        Promise promise,
        List<Call> calls,
        List<Event.Effect> effects,
        List<Event.Settled> settled,
        List<Event> events,
        List<Event> doubled) {

    /** @param events all events of one key, in any order */
    public static KeyHistory of(List<Event> events) {
        List<Event> byTime = new ArrayList<>(events);
        byTime.sort(Comparator.comparingLong(Event::at));
        Map<Integer, Event> ends = new HashMap<>();
        List<Event.Sent> sent = new ArrayList<>();
        KeyHistory it = new KeyHistory(
                key(events),
                promise(byTime),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                byTime,
                new ArrayList<>());
        for (Event event : byTime) it.take(event, sent, ends);
        for (Event.Sent call : sent) it.calls.add(new Call(call, ends.remove(call.call())));
        return it;
    }

    private static String key(List<Event> events) {
        for (Event event : events) {
            switch (event) {
                case Event.Sent it -> {
                    return it.key();
                }
                case Event.Effect it -> {
                    return it.key();
                }
                case Event.Settled it -> {
                    return it.key();
                }
                case Event.Answered it -> {}
                case Event.Unanswered it -> {}
                case Event.Fault it -> {}
            }
        }
        throw new IllegalArgumentException("None of these events names a key: " + events);
    }

    private static Promise promise(List<Event> events) {
        for (Event event : events) if (event instanceof Event.Sent sent) return sent.promise();
        return Promise.AT_MOST_ONCE;
    }

    private void take(Event event, List<Event.Sent> sent, Map<Integer, Event> ends) {
        switch (event) {
            case Event.Sent it -> sent.add(it);
            case Event.Answered it -> end(ends.putIfAbsent(it.call(), it), it);
            case Event.Unanswered it -> end(ends.putIfAbsent(it.call(), it), it);
            case Event.Effect it -> effects.add(it);
            case Event.Settled it -> settled.add(it);
            case Event.Fault it -> throw new IllegalArgumentException("A fault belongs to no key: " + it);
        }
    }

    private void end(@Nullable Event before, Event end) {
        if (before != null) doubled.add(end);
    }

    public List<Event.Effect> accepted() {
        return effects.stream().filter(Event.Effect::accepted).toList();
    }
}
