package dev.semel.torture.check;

import dev.semel.torture.history.Call;
import dev.semel.torture.history.Event;
import dev.semel.torture.history.KeyHistory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What must be true of the outcomes that are told, and stay so. */
final class OutcomeLaws {
    static final Law ALL_ARE_THE_SAME = new Law(
            "All outcomes told of a key are the same: fresh or replayed, by any gateway, and at last",
            key -> Outcomes.of(key).size() > 1,
            OutcomeLaws::allAreTheSame);

    static final Law EACH_COMES_FROM_AN_EFFECT = new Law(
            "An outcome is told after its effect, and never without one",
            key -> !Outcomes.of(key).isEmpty(),
            OutcomeLaws::eachComesFromAnEffect);

    static final Law ONE_IS_FRESH = new Law(
            "One outcome of a key is fresh at most, the others are replays",
            key -> !Outcomes.of(key).isEmpty(),
            OutcomeLaws::oneIsFresh);

    static final Law NONE_DISAPPEARS = new Law(
            "An outcome that was answered stays: later calls get it, or no word on the key, and it is the last word",
            key -> Outcomes.firstAnswered(key) != null || spent(key) != null,
            OutcomeLaws::noneDisappears);

    private OutcomeLaws() {}

    private static @Nullable Finding allAreTheSame(KeyHistory key) {
        List<Outcomes.Reported> outcomes = Outcomes.of(key);
        Outcomes.Reported first = outcomes.getFirst();
        for (Outcomes.Reported it : outcomes)
            if (!it.isSameAs(first))
                return Finding.of("first it was " + first + ", then " + it, first.event(), it.event());
        return null;
    }

    private static @Nullable Finding eachComesFromAnEffect(KeyHistory key) {
        Map<String, Long> made = new HashMap<>();
        for (Event.Effect effect : key.accepted()) made.putIfAbsent(effect.body(), effect.at());
        for (Outcomes.Reported it : Outcomes.of(key)) {
            boolean had =
                    made.getOrDefault(it.body(), Long.MAX_VALUE) <= it.event().at();
            if (!had) return Finding.of(it + " was told, and no effect before had this answer", it.event());
        }
        return null;
    }

    private static @Nullable Finding oneIsFresh(KeyHistory key) {
        Event.Answered fresh = null;
        for (Call call : key.calls()) {
            Event.Answered answer = call.answer();
            if (answer == null || !Answers.isOutcome(answer) || answer.replayed()) continue;
            if (fresh != null) return Finding.of("two answers claim to be the first", fresh, answer);
            fresh = answer;
        }
        return null;
    }

    /**
     * Once an outcome is answered it is durable, and every later look at the key finds it. Nothing is sent any more, so an unreachable
     * service cannot matter; nobody holds the key, so nobody waits; and a run is shorter than any retention, so nothing is forgotten.
     */
    private static @Nullable Finding noneDisappears(KeyHistory key) {
        Event.Answered spent = spent(key);
        if (spent != null) return Finding.of("the outcome was forgotten within the run", spent);
        Call first = Objects.requireNonNull(Outcomes.firstAnswered(key));
        Event.Answered told = Objects.requireNonNull(first.answer());
        for (Call call : key.calls()) {
            Event.Answered answer = call.answer();
            if (answer == null
                    || call.sent().at() <= told.at()
                    || call.sent().payload() != first.sent().payload()) continue;
            if (!Answers.isOutcome(answer) && !Answers.isUnavailable(answer))
                return Finding.of(Answers.name(answer) + " was answered after the outcome", told, call.sent(), answer);
        }
        for (Event.Settled last : key.settled())
            if (!Answers.isOutcome(last.status(), last.problem()))
                return Finding.of(
                        "the last word is " + Answers.name(last.status(), last.problem()) + ", after an outcome",
                        told,
                        last);
        return null;
    }

    private static Event.@Nullable Answered spent(KeyHistory key) {
        for (Call call : key.calls()) {
            Event.Answered answer = call.answer();
            if (answer != null && answer.problem().equals("key-spent")) return answer;
        }
        return null;
    }
}
