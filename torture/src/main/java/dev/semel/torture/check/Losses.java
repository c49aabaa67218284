package dev.semel.torture.check;

import dev.semel.torture.history.Event;
import dev.semel.torture.history.History;
import dev.semel.torture.history.KeyHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * When a store that promises no more may have lost what it acknowledged: whenever a replica took over. A key that was used before and shows
 * later that something of it is gone is then a loss that the store warns of, and no violation. A key that lived at no such time has every
 * law's protection, and some laws hold whatever is lost.
 */
public record Losses(List<Event.Fault> failOvers) {
    /** Everything that was acknowledged stays. */
    public static final Losses NONE = new Losses(List.of());

    /** What no record is needed for: the service behind refuses lower tokens, and a gateway knows what it has sent. */
    private static final Set<Law> WHATEVER_IS_LOST = Set.of(
            EffectLaws.NO_LOWER_TOKEN_IS_ACCEPTED,
            EffectLaws.JOINED_IS_EXACTLY_ONCE,
            EffectLaws.JOINED_IS_NEVER_IN_DOUBT,
            SendingLaws.NOT_SENT_IS_TRUE,
            EndLaws.EVERY_KEY_IS_SETTLED,
            EndLaws.EVERY_ANSWER_IS_DOCUMENTED,
            EndLaws.THE_HISTORY_MAKES_SENSE);

    public static Losses atFailOvers(History history) {
        List<Event.Fault> all = new ArrayList<>();
        history.forEach(event -> {
            if (event instanceof Event.Fault fault && fault.kind().equals(Event.Fault.FAIL_OVER)) all.add(fault);
        });
        return new Losses(List.copyOf(all));
    }

    boolean explain(Law law, KeyHistory key, Finding finding) {
        if (WHATEVER_IS_LOST.contains(law)) return false;
        long used = key.events().getFirst().at();
        long shown = finding.events().stream().mapToLong(Event::at).max().orElseThrow();
        return failOvers.stream().anyMatch(it -> used <= it.until() && shown >= it.at());
    }
}
