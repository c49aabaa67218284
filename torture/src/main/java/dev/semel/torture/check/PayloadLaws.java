package dev.semel.torture.check;

import dev.semel.torture.history.Call;
import dev.semel.torture.history.Event;
import dev.semel.torture.history.KeyHistory;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A key belongs to the payload that came first, for its whole life. */
final class PayloadLaws {
    static final Law ONE_PAYLOAD = new Law(
            "Effects and outcomes of a key are all of one payload",
            key -> !key.effects().isEmpty() || Outcomes.firstAnswered(key) != null,
            PayloadLaws::onePayload);

    static final Law ANOTHER_IS_REFUSED = new Law(
            "Once an outcome was answered, another payload is refused as key-reused",
            key -> Outcomes.firstAnswered(key) != null && hasOthers(key),
            PayloadLaws::anotherIsRefused);

    static final Law REFUSED_IS_ANOTHER = new Law(
            "A payload is refused as key-reused only after another came, and then has no effect and no outcome",
            key -> key.calls().stream().anyMatch(PayloadLaws::isRefused),
            PayloadLaws::refusedIsAnother);

    private PayloadLaws() {}

    private static @Nullable Finding onePayload(KeyHistory key) {
        Event first = null;
        int payload = 0;
        for (Map.Entry<Event, Integer> it : counted(key).entrySet()) {
            if (first == null) {
                first = it.getKey();
                payload = it.getValue();
            } else if (payload != it.getValue())
                return Finding.of("payloads " + payload + " and " + it.getValue() + " both ran", first, it.getKey());
        }
        return null;
    }

    /** What shows that a payload ran, with that payload. */
    private static Map<Event, Integer> counted(KeyHistory key) {
        Map<Event, Integer> counted = new LinkedHashMap<>();
        for (Event.Effect effect : key.effects()) counted.put(effect, effect.payload());
        for (Call call : key.calls()) {
            Event.Answered answer = call.answer();
            if (answer != null && Answers.isOutcome(answer))
                counted.put(answer, call.sent().payload());
        }
        return counted;
    }

    private static boolean hasOthers(KeyHistory key) {
        int first = key.calls().getFirst().sent().payload();
        return key.calls().stream().anyMatch(call -> call.sent().payload() != first);
    }

    private static @Nullable Finding anotherIsRefused(KeyHistory key) {
        Call first = Outcomes.firstAnswered(key);
        Event.Answered told = first == null ? null : first.answer();
        if (first == null || told == null) return null;
        for (Call call : key.calls()) {
            Event.Answered answer = call.answer();
            if (answer == null
                    || call.sent().at() <= told.at()
                    || call.sent().payload() == first.sent().payload()) continue;
            if (!isRefused(call) && !Answers.isUnavailable(answer))
                return Finding.of(
                        "payload " + call.sent().payload() + " was answered " + Answers.name(answer), told, answer);
        }
        return null;
    }

    private static @Nullable Finding refusedIsAnother(KeyHistory key) {
        Map<Integer, Event> ran = new HashMap<>();
        counted(key).forEach((event, payload) -> ran.putIfAbsent(payload, event));
        for (Call call : key.calls()) {
            Event.Answered answer = call.answer();
            if (answer == null || !isRefused(call)) continue;
            Event effect = ran.get(call.sent().payload());
            if (effect != null) return Finding.of("a payload that ran was refused as another's", effect, answer);
            if (!hasOtherBefore(key, call, answer))
                return Finding.of("refused, and no other payload was sent before", call.sent(), answer);
        }
        return null;
    }

    /** Calls are by time, and the one that was first is nearly always of the payload that counts. */
    private static boolean hasOtherBefore(KeyHistory key, Call refused, Event.Answered answer) {
        for (Call other : key.calls()) {
            if (other.sent().at() > answer.at()) return false;
            if (other.sent().payload() != refused.sent().payload()) return true;
        }
        return false;
    }

    private static boolean isRefused(Call call) {
        Event.Answered answer = call.answer();
        return answer != null && answer.problem().equals("key-reused");
    }
}
