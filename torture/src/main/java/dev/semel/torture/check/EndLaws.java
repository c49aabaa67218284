package dev.semel.torture.check;

import dev.semel.torture.history.Call;
import dev.semel.torture.history.Event;
import dev.semel.torture.history.KeyHistory;
import dev.semel.torture.history.Promise;
import org.jspecify.annotations.Nullable;

/** What each call and each key must come to. */
final class EndLaws {
    static final Law EVERY_ANSWER_IS_DOCUMENTED = new Law(
            "Every answer is one of the documentation",
            key -> key.calls().stream().anyMatch(call -> call.answer() != null),
            EndLaws::everyAnswerIsDocumented);

    static final Law EVERY_KEY_IS_SETTLED = new Law(
            "Every key ends with an outcome; only at most once, without a probe, may it stay unknown",
            key -> !key.calls().isEmpty(),
            EndLaws::everyKeyIsSettled);

    static final Law THE_HISTORY_MAKES_SENSE = new Law(
            "Calls end once and after they began, effects are of keys that were sent, promises do not change",
            key -> true,
            EndLaws::theHistoryMakesSense);

    private EndLaws() {}

    private static @Nullable Finding everyAnswerIsDocumented(KeyHistory key) {
        for (Call call : key.calls()) {
            Event.Answered answer = call.answer();
            if (answer != null && !Answers.isDocumented(answer))
                return Finding.of("the answer was " + Answers.name(answer), call.sent(), answer);
        }
        return null;
    }

    private static @Nullable Finding everyKeyIsSettled(KeyHistory key) {
        if (key.settled().isEmpty()) return new Finding("nobody knows what became of it", key.events());
        for (Event.Settled it : key.settled())
            if (!Answers.isOutcome(it.status(), it.problem()) && !mayStayUnknown(key, it))
                return Finding.of("the last word is " + Answers.name(it.status(), it.problem()), it);
        return null;
    }

    private static boolean mayStayUnknown(KeyHistory key, Event.Settled it) {
        return key.promise() == Promise.AT_MOST_ONCE && it.problem().equals("outcome-unknown");
    }

    /** Not Semel's law, but ours: a history that cannot be true must not pass for a proof. */
    private static @Nullable Finding theHistoryMakesSense(KeyHistory key) {
        if (!key.doubled().isEmpty()) return new Finding("a call ended twice", key.doubled());
        if (key.calls().isEmpty()) return new Finding("nobody sent this key", key.events());
        for (Call call : key.calls()) {
            if (call.sent().promise() != key.promise()) return Finding.of("the promise has changed", call.sent());
            if (call.end() != null && call.end().at() < call.sent().at())
                return Finding.of("the call ended before it began", call.sent(), call.end());
        }
        return null;
    }
}
