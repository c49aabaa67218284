package dev.semel.torture.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.semel.torture.messages.check.Arrival;
import dev.semel.torture.messages.check.Committed;
import dev.semel.torture.messages.check.Finding;
import dev.semel.torture.messages.check.MessageLaws;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each law is broken by what it is there for, and by nothing else. */
class MessageLawsTest {
    private static final List<Committed> COMMITTED = List.of(
            new Committed("a", "k", 1, false),
            new Committed("b", "k", 2, false),
            new Committed("c", null, 0, false),
            new Committed("d", "k", 3, true));

    @Test
    void what_is_right_breaks_nothing_and_neither_does_a_duplicate() {
        assertEquals(Set.of(), broken("a b c", "a b c"));
        assertEquals(Set.of(), broken("c a b a b", "c a b"));
    }

    @Test
    void what_is_missing_is_lost() {
        assertEquals(Set.of(MessageLaws.LOST), broken("a c", "a b c"));
        assertEquals(Set.of(MessageLaws.NO_EFFECT), broken("a b c", "a b"));
    }

    @Test
    void what_was_rolled_back_or_dropped_is_a_stranger() {
        assertEquals(Set.of(MessageLaws.STRANGER), broken("a b c x", "a b c"));
        assertEquals(Set.of(MessageLaws.STRANGER), broken("a b c d", "a b c"));
        assertEquals(Set.of(MessageLaws.EFFECTS), broken("a b c", "a b c x"));
    }

    @Test
    void what_takes_effect_twice_is_noticed() {
        assertEquals(Set.of(MessageLaws.EFFECTS), broken("a b c", "a b c a"));
    }

    @Test
    void what_overtakes_its_key_is_out_of_order() {
        assertEquals(Set.of(MessageLaws.ORDER), broken("b a b c", "a b c"));
        assertEquals(Set.of(MessageLaws.EFFECT_ORDER), broken("a b c", "b a c"));
    }

    @Test
    void what_is_changed_on_its_way_is_noticed() {
        List<Finding> findings = MessageLaws.check(
                COMMITTED,
                List.of(new Arrival("a", "k|1|"), new Arrival("b", "k|3|"), new Arrival("c", "|0|")),
                List.of("a", "b", "c"),
                List.of());
        assertEquals(Set.of(MessageLaws.ALTERED), broken(findings));
    }

    @Test
    void what_is_deleted_late_is_noticed() {
        assertEquals(
                Set.of(MessageLaws.LATE),
                broken(MessageLaws.check(List.of(), List.of(), List.of(), List.of("a by relay-1"))));
    }

    private static Set<String> broken(String arrived, String effects) {
        List<Arrival> arrivals = Stream.of(arrived.split(" "))
                .map(id -> new Arrival(
                        id,
                        COMMITTED.stream()
                                .filter(it -> it.id().equals(id))
                                .map(it -> Committed.body(it.key(), it.number()))
                                .findFirst()
                                .orElse("")))
                .toList();
        return broken(MessageLaws.check(COMMITTED, arrivals, List.of(effects.split(" ")), List.of()));
    }

    private static Set<String> broken(List<Finding> findings) {
        return findings.stream().filter(it -> it.broken() > 0).map(Finding::law).collect(Collectors.toSet());
    }
}
