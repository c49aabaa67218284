package dev.semel.torture.check;

import dev.semel.torture.history.Event;
import dev.semel.torture.history.KeyHistory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the service behind may be told of attempts and their tokens. */
final class TokenLaws {
    static final Law TOKENS_GROW = new Law(
            "Tokens grow with the attempts of a key, one for each",
            key -> key.effects().size() > 1,
            TokenLaws::tokensGrow);

    private TokenLaws() {}

    private static @Nullable Finding tokensGrow(KeyHistory key) {
        List<Event.Effect> byAttempt = new ArrayList<>(key.effects());
        byAttempt.sort(Comparator.comparingInt(Event.Effect::attempt).thenComparingLong(Event.Effect::token));
        for (int i = 1; i < byAttempt.size(); i++) {
            String flaw = flaw(byAttempt.get(i - 1), byAttempt.get(i));
            if (flaw != null) return Finding.of(flaw, byAttempt.get(i - 1), byAttempt.get(i));
        }
        return null;
    }

    private static @Nullable String flaw(Event.Effect earlier, Event.Effect later) {
        boolean sameAttempt = earlier.attempt() == later.attempt();
        boolean sameToken = earlier.token() == later.token();
        if (sameAttempt && sameToken) return null;
        if (sameAttempt)
            return "attempt " + earlier.attempt() + " has two tokens, " + earlier.token() + " and " + later.token();
        if (sameToken)
            return "token " + earlier.token() + " has two attempts, " + earlier.attempt() + " and " + later.attempt();
        if (earlier.token() < later.token()) return null;
        return "attempt " + later.attempt() + " has token " + later.token() + ", attempt " + earlier.attempt()
                + " had the higher " + earlier.token();
    }
}
