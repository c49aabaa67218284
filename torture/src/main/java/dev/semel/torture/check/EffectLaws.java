package dev.semel.torture.check;

import dev.semel.torture.history.Call;
import dev.semel.torture.history.Event;
import dev.semel.torture.history.KeyHistory;
import dev.semel.torture.history.Promise;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What may happen at the service behind. */
final class EffectLaws {
    static final Law AT_MOST_ONE_EFFECT = new Law(
            "A key has at most one effect, unless it was promised at least one",
            key -> key.promise() != Promise.AT_LEAST_ONCE && !key.effects().isEmpty(),
            EffectLaws::atMostOneEffect);

    static final Law JOINED_IS_EXACTLY_ONCE = new Law(
            "An answered outcome of a joined key has exactly one effect",
            key -> key.promise() == Promise.JOINED && Outcomes.firstAnswered(key) != null,
            EffectLaws::joinedIsExactlyOnce);

    static final Law JOINED_IS_NEVER_IN_DOUBT = new Law(
            "A joined key is never in doubt", key -> key.promise() == Promise.JOINED, EffectLaws::joinedIsNeverInDoubt);

    static final Law NO_LOWER_TOKEN_IS_ACCEPTED = new Law(
            "No effect is accepted with a token lower than one that was accepted before",
            key -> key.effects().size() > 1,
            EffectLaws::noLowerTokenIsAccepted);

    static final Law NOTHING_RUNS_ONCE_DONE = new Law(
            "An outcome is that of the last attempt: once it is recorded, no other begins",
            key -> !key.effects().isEmpty() && !Outcomes.of(key).isEmpty(),
            EffectLaws::nothingRunsOnceDone);

    private EffectLaws() {}

    private static @Nullable Finding atMostOneEffect(KeyHistory key) {
        List<Event.Effect> accepted = key.accepted();
        if (accepted.size() <= 1) return null;
        return new Finding(accepted.size() + " effects were accepted", List.copyOf(accepted));
    }

    private static @Nullable Finding joinedIsExactlyOnce(KeyHistory key) {
        List<Event.Effect> accepted = key.accepted();
        if (accepted.size() == 1) return null;
        return new Finding("an outcome was answered, and there are " + accepted.size() + " effects", key.events());
    }

    private static @Nullable Finding joinedIsNeverInDoubt(KeyHistory key) {
        for (Call call : key.calls()) {
            Event.Answered answer = call.answer();
            if (answer != null && answer.problem().equals("outcome-unknown"))
                return Finding.of("the answer was " + Answers.name(answer), call.sent(), answer);
        }
        return null;
    }

    private static @Nullable Finding noLowerTokenIsAccepted(KeyHistory key) {
        Event.Effect highest = null;
        for (Event.Effect effect : key.accepted()) {
            if (highest != null && effect.token() < highest.token())
                return Finding.of(
                        "token " + effect.token() + " was accepted after " + highest.token(), highest, effect);
            highest = effect;
        }
        return null;
    }

    private static @Nullable Finding nothingRunsOnceDone(KeyHistory key) {
        Outcomes.Reported outcome = Outcomes.of(key).getFirst();
        Event.Effect own = null;
        Event.Effect last = key.effects().getFirst();
        for (Event.Effect effect : key.effects()) {
            if (effect.token() > last.token()) last = effect;
            if (effect.accepted()
                    && effect.body().equals(outcome.body())
                    && (own == null || effect.token() > own.token())) own = effect;
        }
        if (own == null || own.token() == last.token()) return null;
        return Finding.of(
                "the outcome is that of token " + own.token() + ", and token " + last.token() + " ran too",
                own,
                outcome.event(),
                last);
    }
}
