package dev.semel.torture.messages.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What has to hold when everything has come to rest. */
public final class MessageLaws {
    public static final String LOST = "Every message that was committed arrives";
    public static final String STRANGER = "Nothing arrives that was not committed, or was dropped";
    public static final String ALTERED = "What arrives is what was appended";
    public static final String ORDER = "The messages of a key arrive in the order of their commits";
    public static final String NO_EFFECT = "Every message that was committed takes effect";
    public static final String EFFECTS = "No message takes effect twice, and no other one does";
    public static final String EFFECT_ORDER = "The messages of a key take effect in the order of their commits";
    public static final String LATE = "Nothing is deleted by a relay that has lost its shard";

    private final Map<String, Committed> committed = new LinkedHashMap<>();

    private MessageLaws(List<Committed> all) {
        for (Committed message : all) committed.put(message.id(), message);
    }

    /**
     * @param arrivals in the order of the broker, as far as it has one
     * @param effects ids, in the order of the transactions that they were written in
     * @param lateDeletes what relays have deleted of shards that they had lost
     */
    public static List<Finding> check(
            List<Committed> committed, List<Arrival> arrivals, List<String> effects, List<String> lateDeletes) {
        MessageLaws laws = new MessageLaws(committed);
        List<String> arrived = arrivals.stream().map(Arrival::id).toList();
        return List.of(
                Finding.of(LOST, laws.missing(arrived)),
                Finding.of(STRANGER, laws.strangers(arrived)),
                Finding.of(ALTERED, laws.altered(arrivals)),
                Finding.of(ORDER, laws.outOfOrder(arrived)),
                Finding.of(NO_EFFECT, laws.missing(effects)),
                Finding.of(EFFECTS, laws.repeated(effects)),
                Finding.of(EFFECT_ORDER, laws.outOfOrder(effects)),
                Finding.of(LATE, lateDeletes));
    }

    private List<String> missing(List<String> seen) {
        Set<String> there = new HashSet<>(seen);
        return committed.values().stream()
                .filter(it -> !it.dropped() && !there.contains(it.id()))
                .map(Committed::toString)
                .toList();
    }

    private List<String> strangers(List<String> seen) {
        return seen.stream().filter(id -> !isExpected(id)).toList();
    }

    private boolean isExpected(String id) {
        Committed message = committed.get(id);
        return message != null && !message.dropped();
    }

    private List<String> altered(List<Arrival> arrivals) {
        List<String> altered = new ArrayList<>();
        for (Arrival arrival : arrivals) {
            Committed message = committed.get(arrival.id());
            if (message != null && !arrival.body().equals(Committed.body(message.key(), message.number())))
                altered.add(message + " arrived as " + arrival.body());
        }
        return altered;
    }

    private List<String> repeated(List<String> effects) {
        Set<String> before = new HashSet<>();
        return effects.stream().filter(id -> !isExpected(id) || !before.add(id)).toList();
    }

    /** Of each message the first time counts: what is a duplicate is told by its id. */
    private List<String> outOfOrder(List<String> seen) {
        List<String> violations = new ArrayList<>();
        Set<String> before = new HashSet<>();
        Map<String, Committed> last = new HashMap<>();
        for (String id : seen) {
            Committed message = committed.get(id);
            if (message == null || message.key() == null || !before.add(id)) continue;
            Committed ahead = last.put(message.key(), message);
            if (ahead != null && ahead.number() > message.number()) {
                violations.add(message + " came after " + ahead);
                last.put(message.key(), ahead);
            }
        }
        return violations;
    }
}
