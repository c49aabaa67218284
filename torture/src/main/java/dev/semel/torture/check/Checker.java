package dev.semel.torture.check;

import dev.semel.torture.history.Event;
import dev.semel.torture.history.History;
import dev.semel.torture.history.KeyHistory;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds a history against the laws. The time it takes grows with the number of events; beside the history it holds one key at a time.
 */
public final class Checker {
    /** In the order in which a reader wants to see them: what hurts most comes first. */
    static final List<Law> LAWS = List.of(
            EffectLaws.AT_MOST_ONE_EFFECT,
            EffectLaws.JOINED_IS_EXACTLY_ONCE,
            EffectLaws.JOINED_IS_NEVER_IN_DOUBT,
            OutcomeLaws.NONE_DISAPPEARS,
            OutcomeLaws.ALL_ARE_THE_SAME,
            OutcomeLaws.EACH_COMES_FROM_AN_EFFECT,
            OutcomeLaws.ONE_IS_FRESH,
            EffectLaws.NOTHING_RUNS_ONCE_DONE,
            EffectLaws.NO_LOWER_TOKEN_IS_ACCEPTED,
            TokenLaws.TOKENS_GROW,
            PayloadLaws.ONE_PAYLOAD,
            PayloadLaws.ANOTHER_IS_REFUSED,
            PayloadLaws.REFUSED_IS_ANOTHER,
            SendingLaws.NOT_SENT_IS_TRUE,
            EndLaws.EVERY_KEY_IS_SETTLED,
            EndLaws.EVERY_ANSWER_IS_DOCUMENTED,
            EndLaws.THE_HISTORY_MAKES_SENSE);

    private final Losses allowed;
    private final List<Violation> violations = new ArrayList<>();
    private final List<Violation> losses = new ArrayList<>();
    private final int[] concerned = new int[LAWS.size()];
    private final int[] broken = new int[LAWS.size()];
    private final int[] lost = new int[LAWS.size()];
    private int keys;

    private Checker(Losses allowed) {
        this.allowed = allowed;
    }

    /** For a history to which nothing is appended any more, of a store that keeps what it acknowledges. */
    public static CheckResult check(History history) {
        return check(history, Losses.NONE);
    }

    /** The same for a store that may lose some of it. */
    public static CheckResult check(History history, Losses allowed) {
        Checker checker = new Checker(allowed);
        history.forEachKey(checker::check);
        for (Event stray : history.strays()) checker.stray(stray);
        return checker.result();
    }

    private void check(KeyHistory key) {
        keys++;
        for (int i = 0; i < LAWS.size(); i++) {
            Law law = LAWS.get(i);
            if (!law.concerns().test(key)) continue;
            concerned[i]++;
            Finding finding = law.judge().breach(key);
            if (finding == null) continue;
            Violation it = new Violation(law.sentence(), key.key(), finding.what(), finding.events(), key.events());
            if (allowed.explain(law, key, finding)) addLoss(i, it);
            else add(i, it);
        }
    }

    private void addLoss(int law, Violation loss) {
        if (lost[law]++ < CheckResult.KEPT_PER_LAW) losses.add(loss);
    }

    private void stray(Event stray) {
        String law = EndLaws.THE_HISTORY_MAKES_SENSE.sentence();
        add(
                LAWS.indexOf(EndLaws.THE_HISTORY_MAKES_SENSE),
                new Violation(
                        law,
                        "",
                        stray instanceof Event.Sent
                                ? "a call has the number of another"
                                : "a call ended that nobody sent",
                        List.of(stray),
                        List.of(stray)));
    }

    private void add(int law, Violation violation) {
        if (broken[law]++ < CheckResult.KEPT_PER_LAW) violations.add(violation);
    }

    private CheckResult result() {
        List<CheckResult.LawTally> tallies = new ArrayList<>();
        for (int i = 0; i < LAWS.size(); i++)
            tallies.add(new CheckResult.LawTally(LAWS.get(i).sentence(), concerned[i], broken[i], lost[i]));
        return new CheckResult(List.copyOf(violations), List.copyOf(losses), tallies, keys);
    }
}
