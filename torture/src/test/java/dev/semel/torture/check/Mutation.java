package dev.semel.torture.check;

import dev.semel.torture.history.Event;
import dev.semel.torture.history.KeyHistory;
import dev.semel.torture.history.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a broken layer could have done to a lawful key; null where it cannot be done to this one. Each names the law that must see it. */
enum Mutation {
    A_SECOND_EFFECT(EffectLaws.AT_MOST_ONE_EFFECT) {
        @Override
        @Nullable
        List<Event> apply(KeyHistory key, Random random) {
            if (key.promise() == Promise.AT_LEAST_ONCE || key.accepted().isEmpty()) return null;
            Event.Effect it = key.accepted().getFirst();
            return plus(
                    key,
                    new Event.Effect(
                            it.at() + 1, it.key(), it.payload(), it.token() + 9, it.attempt() + 9, true, "again"));
        }
    },
    ANOTHER_BODY(OutcomeLaws.EACH_COMES_FROM_AN_EFFECT) {
        @Override
        @Nullable
        List<Event> apply(KeyHistory key, Random random) {
            return one(key, random, it -> it instanceof Event.Answered a && a.isSuccess(), it -> {
                Event.Answered a = (Event.Answered) it;
                return new Event.Answered(a.at(), a.call(), a.status(), "", a.replayed(), a.body() + "?");
            });
        }
    },
    NO_EFFECT(OutcomeLaws.EACH_COMES_FROM_AN_EFFECT) {
        @Override
        @Nullable
        List<Event> apply(KeyHistory key, Random random) {
            if (Outcomes.of(key).isEmpty()) return null;
            return key.events().stream()
                    .filter(it -> !(it instanceof Event.Effect))
                    .toList();
        }
    },
    A_LATE_EFFECT(OutcomeLaws.EACH_COMES_FROM_AN_EFFECT) {
        @Override
        @Nullable
        List<Event> apply(KeyHistory key, Random random) {
            if (Outcomes.of(key).isEmpty()) return null;
            long after = key.events().getLast().at() + 1;
            return all(
                    key,
                    it -> it instanceof Event.Effect e
                            ? new Event.Effect(
                                    after, e.key(), e.payload(), e.token(), e.attempt(), e.accepted(), e.body())
                            : it);
        }
    },
    A_LOWER_TOKEN(TokenLaws.TOKENS_GROW) {
        @Override
        @Nullable
        List<Event> apply(KeyHistory key, Random random) {
            if (key.effects().size() < 2) return null;
            Event.Effect last = key.effects().getLast();
            if (key.effects().stream().anyMatch(it -> it.attempt() > last.attempt())) return null;
            return one(
                    key,
                    random,
                    last::equals,
                    it -> new Event.Effect(
                            last.at(), last.key(), last.payload(), 1, last.attempt(), last.accepted(), last.body()));
        }
    },
    A_BROKEN_FENCE(EffectLaws.NO_LOWER_TOKEN_IS_ACCEPTED) {
        @Override
        @Nullable
        List<Event> apply(KeyHistory key, Random random) {
            return one(key, random, it -> it instanceof Event.Effect e && !e.accepted(), it -> {
                Event.Effect e = (Event.Effect) it;
                return new Event.Effect(e.at(), e.key(), e.payload(), e.token(), e.attempt(), true, e.body());
            });
        }
    },
    A_RUN_AFTER_THE_OUTCOME(EffectLaws.NOTHING_RUNS_ONCE_DONE) {
        @Override
        @Nullable
        List<Event> apply(KeyHistory key, Random random) {
            if (Outcomes.of(key).isEmpty()) return null;
            Event.Effect e = key.effects().getLast();
            long at = key.events().getLast().at() + 1;
            return plus(key, new Event.Effect(at, e.key(), e.payload(), e.token() + 9, e.attempt() + 9, true, "again"));
        }
    },
    A_LOST_OUTCOME(OutcomeLaws.NONE_DISAPPEARS) {
        @Override
        @Nullable
        List<Event> apply(KeyHistory key, Random random) {
            var first = Outcomes.firstAnswered(key);
            if (first == null || first.answer() == null) return null;
            long told = first.answer().at();
            List<Event> later = new ArrayList<>();
            for (var call : key.calls())
                if (call.sent().at() > told
                        && call.answer() != null
                        && call.answer().isSuccess()) later.add(call.answer());
            return one(key, random, later::contains, it -> {
                Event.Answered a = (Event.Answered) it;
                return new Event.Answered(a.at(), a.call(), 409, "outcome-unknown", false, "x");
            });
        }
    },
    UNKNOWN_AT_LAST(EndLaws.EVERY_KEY_IS_SETTLED) {
        @Override
        @Nullable
        List<Event> apply(KeyHistory key, Random random) {
            if (key.promise() == Promise.AT_MOST_ONCE) return null;
            return one(
                    key,
                    random,
                    it -> it instanceof Event.Settled,
                    it -> new Event.Settled(it.at(), key.key(), 409, "outcome-unknown", "x"));
        }
    },
    NO_LAST_WORD(EndLaws.EVERY_KEY_IS_SETTLED) {
        @Override
        @Nullable
        List<Event> apply(KeyHistory key, Random random) {
            return key.events().stream()
                    .filter(it -> !(it instanceof Event.Settled))
                    .toList();
        }
    },
    ANOTHER_PAYLOAD_RUNS(PayloadLaws.ONE_PAYLOAD) {
        @Override
        @Nullable
        List<Event> apply(KeyHistory key, Random random) {
            if (Outcomes.firstAnswered(key) == null) return null;
            return one(key, random, it -> it instanceof Event.Effect, it -> {
                Event.Effect e = (Event.Effect) it;
                return new Event.Effect(
                        e.at(), e.key(), e.payload() + 5, e.token(), e.attempt(), e.accepted(), e.body());
            });
        }
    },
    ANOTHER_PAYLOAD_SUCCEEDS(PayloadLaws.ONE_PAYLOAD) {
        @Override
        @Nullable
        List<Event> apply(KeyHistory key, Random random) {
            if (key.accepted().isEmpty()) return null;
            String body = key.accepted().getLast().body();
            return one(
                    key,
                    random,
                    it -> it instanceof Event.Answered a && a.problem().equals("key-reused"),
                    it -> {
                        Event.Answered a = (Event.Answered) it;
                        return new Event.Answered(a.at(), a.call(), 201, "", true, body);
                    });
        }
    },
    TWICE_FRESH(OutcomeLaws.ONE_IS_FRESH) {
        @Override
        @Nullable
        List<Event> apply(KeyHistory key, Random random) {
            if (key.promise() == Promise.JOINED) return null;
            if (key.events().stream().noneMatch(it -> it instanceof Event.Answered a && a.isSuccess() && !a.replayed()))
                return null;
            return one(key, random, it -> it instanceof Event.Answered a && a.replayed(), it -> {
                Event.Answered a = (Event.Answered) it;
                return new Event.Answered(a.at(), a.call(), a.status(), "", false, a.body());
            });
        }
    },
    ALL_SAY_NOT_SENT(SendingLaws.NOT_SENT_IS_TRUE) {
        @Override
        @Nullable
        List<Event> apply(KeyHistory key, Random random) {
            if (key.promise() == Promise.JOINED || key.effects().isEmpty()) return null;
            // What comes after all calls may be of the one that asked for the last word.
            long first = key.effects().getFirst().at();
            if (key.calls().stream()
                    .noneMatch(it -> it.end() != null && it.end().at() > first)) return null;
            return all(
                    key,
                    it -> it instanceof Event.Answered a
                            ? new Event.Answered(a.at(), a.call(), 502, "upstream-unreachable", false, "x")
                            : it instanceof Event.Unanswered u
                                    ? new Event.Answered(u.at(), u.call(), 503, "store-unavailable", false, "x")
                                    : it);
        }
    },
    AN_UNKNOWN_PROBLEM(EndLaws.EVERY_ANSWER_IS_DOCUMENTED) {
        @Override
        @Nullable
        List<Event> apply(KeyHistory key, Random random) {
            return one(key, random, it -> it instanceof Event.Answered, it -> {
                Event.Answered a = (Event.Answered) it;
                return new Event.Answered(a.at(), a.call(), 500, "internal-error", false, "x");
            });
        }
    };

    final Law seenBy;

    Mutation(Law seenBy) {
        this.seenBy = seenBy;
    }

    abstract @Nullable List<Event> apply(KeyHistory key, Random random);

    private static List<Event> plus(KeyHistory key, Event more) {
        List<Event> events = new ArrayList<>(key.events());
        events.add(more);
        return events;
    }

    private static List<Event> all(KeyHistory key, UnaryOperator<Event> change) {
        return key.events().stream().map(change).toList();
    }

    private static @Nullable List<Event> one(
            KeyHistory key, Random random, Predicate<Event> which, UnaryOperator<Event> change) {
        List<Event> fit = key.events().stream().filter(which).toList();
        if (fit.isEmpty()) return null;
        Event chosen = fit.get(random.nextInt(fit.size()));
        return all(key, it -> it == chosen ? change.apply(it) : it);
    }
}
