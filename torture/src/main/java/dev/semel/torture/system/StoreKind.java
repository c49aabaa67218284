package dev.semel.torture.system;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The stores that a run knows: those that it starts itself, and one that somebody else has. */
public enum StoreKind {
    ROCKSDB,
    POSTGRESQL,
    MARIADB,
    REDIS,
    REDIS_CLUSTER,
    DYNAMODB,
    CASSANDRA,
    /** A URL. */
    GIVEN;

    /** Where clients' clocks judge leases, this is by how much they may differ: less than by default, so that leases run out in a run. */
    static final Duration SKEW = Duration.ofSeconds(2);

    private static final Duration AN_HOUR = Duration.ofHours(1);
    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
    private static final Duration HALF_THE_USUAL_SKEW = Duration.ofSeconds(5);

    /**
     * @param store a name, also with {@code ?…} behind; or a URL
     * @throws IllegalArgumentException when there is no such store
     */
    public static StoreKind of(String store) {
        String name = store.replaceFirst("\\?.*", "");
        if (name.contains(":")) return GIVEN;
        return Arrays.stream(values())
                .filter(it -> it != GIVEN && it.title().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no store '" + store + "'. Known are: "
                        + Arrays.stream(values())
                                .filter(it -> it != GIVEN)
                                .map(StoreKind::title)
                                .collect(Collectors.joining(", "))
                        + ", and the URL of a store that is there already."));
    }

    /** As it is written on the command line. */
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether the run starts a server for it, and may kill it. */
    public boolean hasServer() {
        return this != ROCKSDB && this != GIVEN;
    }

    /** Whether its server comes from the module of torture's servers, which is not on the class path of this process. */
    public boolean isHosted() {
        return hasServer() && this != POSTGRESQL;
    }

    /** Whether it can have a disk of its own, which loses power. */
    public boolean hasDisk() {
        return this == ROCKSDB || this == POSTGRESQL;
    }

    /** Whether replicas take over that may lack what was acknowledged last. */
    public boolean losesAtFailOver() {
        return this == REDIS_CLUSTER;
    }

    /** Where leases are judged by the clock that jumps, a jump must be one that the store allows for. */
    public Duration farthestClockJump(String store) {
        return switch (this) {
            case POSTGRESQL, MARIADB, REDIS, REDIS_CLUSTER -> AN_HOUR;
            // Waited for at the end.
            case ROCKSDB -> TEN_SECONDS;
            // One may be ahead while another is behind.
            case DYNAMODB, CASSANDRA -> SKEW.dividedBy(2);
            case GIVEN ->
                store.startsWith("jdbc:") || store.startsWith("redis")
                        ? AN_HOUR
                        : store.startsWith("rocksdb:") ? TEN_SECONDS : HALF_THE_USUAL_SKEW;
        };
    }
}
