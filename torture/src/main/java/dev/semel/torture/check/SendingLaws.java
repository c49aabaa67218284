package dev.semel.torture.check;

import dev.semel.torture.history.Call;
import dev.semel.torture.history.Event;
import dev.semel.torture.history.KeyHistory;
import dev.semel.torture.history.Promise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether what answers say of sending can be true. */
final class SendingLaws {
    static final Law NOT_SENT_IS_TRUE = new Law(
            "Every attempt comes from a call of its own, that came before and was not told that nothing was sent",
            key -> key.promise() != Promise.JOINED && !key.effects().isEmpty(),
            SendingLaws::notSentIsTrue);

    private SendingLaws() {}

    /**
     * An effect does not say which call made it. But a call makes one attempt at most, and none when it was told so: then there must be, for
     * any number of attempts that had come by some moment, as many other calls sent before that moment. Where there are not, some answer
     * was a lie; where there are, nobody can tell. The last word may be asked for by a call that is not in the history.
     *
     * <p>Not for joined keys: their service may lose the answer of its own commit, and say what it likes.
     */
    private static @Nullable Finding notSentIsTrue(KeyHistory key) {
        List<Long> able = new ArrayList<>();
        for (Call call : key.calls()) {
            Event.Answered answer = call.answer();
            if (answer == null || !Answers.saysNotSent(answer))
                able.add(call.sent().at());
        }
        long asking = key.settled().isEmpty() ? Long.MAX_VALUE : lastOfCalls(key);
        Set<Long> attempts = new HashSet<>();
        int before = 0;
        for (Event.Effect effect : key.effects()) {
            if (!attempts.add(effect.token())) continue;
            while (before < able.size() && able.get(before) <= effect.at()) before++;
            int most = before + (effect.at() > asking ? 1 : 0);
            if (attempts.size() > most)
                return new Finding(
                        attempts.size() + " attempts had come, and " + most + " calls can have made them",
                        key.events().stream()
                                .filter(it -> it.at() <= effect.at()
                                        || (it instanceof Event.Answered answer && Answers.saysNotSent(answer)))
                                .toList());
        }
        return null;
    }

    private static long lastOfCalls(KeyHistory key) {
        long last = Long.MIN_VALUE;
        for (Call call : key.calls())
            last = Math.max(
                    last, call.end() == null ? call.sent().at() : call.end().at());
        return last;
    }
}
