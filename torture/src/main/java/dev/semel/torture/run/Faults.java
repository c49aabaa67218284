package dev.semel.torture.run;

import dev.semel.torture.client.Door;
import dev.semel.torture.nemesis.FaultKind;
import dev.semel.torture.nemesis.Requirement;
import dev.semel.torture.system.StoreKind;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which faults a run has. */
public final class Faults {
    private Faults() {}

    /** Everything that can happen to this store and behind these doors. */
    public static Set<FaultKind> fitting(String store, Set<Door> doors) {
        return Arrays.stream(FaultKind.values())
                .filter(kind -> fits(kind, store, doors) && !kind.isOnlyByName())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(FaultKind.class)));
    }

    private static boolean fits(FaultKind kind, String store, Set<Door> doors) {
        StoreKind ours = StoreKind.of(store);
        return switch (kind.requirement()) {
            case NOTHING, FAKETIME -> true;
            case GATEWAY_DOOR -> doors.contains(Door.GATEWAY);
            case LIBRARY_DOOR -> doors.contains(Door.LIBRARY);
            case OWN_SERVER -> ours.hasServer();
            case CLUSTER -> ours == StoreKind.REDIS_CLUSTER;
            case STRACE -> ours == StoreKind.POSTGRESQL || Options.isForOne(store);
            case OWN_DISK -> ours.hasDisk();
        };
    }

    /** Those for which everything is there on this machine. */
    private static Set<FaultKind> available(String store, Set<Door> doors) {
        Set<FaultKind> available = fitting(store, doors);
        available.removeIf(kind -> kind.requirement().missing() != null);
        return available;
    }

    /**
     * Those that were asked for: names, {@code all}, {@code available}, {@code none}, and names with a minus for what is not wanted.
     *
     * @throws IllegalArgumentException when there is no such fault, or it does not fit, or its tool is missing
     */
    public static Set<FaultKind> chosen(List<String> names, String store, Set<Door> doors) {
        Set<FaultKind> chosen = EnumSet.noneOf(FaultKind.class);
        for (String name : names) {
            if (name.equals("all")) chosen.addAll(fitting(store, doors));
            else if (name.equals("available")) chosen.addAll(available(store, doors));
            else if (name.startsWith("-")) chosen.remove(named(name.substring(1)));
            else if (!name.equals("none")) chosen.add(fitting(named(name), store, doors));
        }
        chosen.forEach(Faults::requireTools);
        return chosen;
    }

    private static FaultKind named(String name) {
        return Arrays.stream(FaultKind.values())
                .filter(kind -> kind.title().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no fault '" + name + "'. Known are: "
                        + Arrays.stream(FaultKind.values())
                                .map(FaultKind::title)
                                .collect(Collectors.joining(", "))));
    }

    private static FaultKind fitting(FaultKind kind, String store, Set<Door> doors) {
        if (fits(kind, store, doors)) return kind;
        if (kind.requirement() == Requirement.LIBRARY_DOOR)
            throw new IllegalArgumentException("The fault '" + kind.title() + "' needs --doors library.");
        if (kind.requirement() == Requirement.GATEWAY_DOOR)
            throw new IllegalArgumentException("The fault '" + kind.title() + "' needs --doors gateway.");
        throw new IllegalArgumentException(
                "The fault '" + kind.title() + "' cannot be done to the store '" + store + "'.");
    }

    private static void requireTools(FaultKind kind) {
        Requirement requirement = kind.requirement();
        String missing = requirement.missing();
        if (missing != null)
            throw new IllegalArgumentException("The fault '" + kind.title() + "' cannot be done here: " + missing
                    + ". To go without: --faults available");
    }
}
