package dev.semel.torture.nemesis;

import dev.semel.torture.cast.Cast;
import dev.semel.torture.cast.Database;
import dev.semel.torture.cast.Disk;
import dev.semel.torture.cast.Gateway;
import dev.semel.torture.cast.Mortal;
import dev.semel.torture.cast.WallClock;
import dev.semel.torture.net.Weather;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every kind of fault that a run knows: what it does, what it needs, and whom of a cast it can strike. */
public enum FaultKind {
    KILL_GATEWAY("kills a gateway with SIGKILL", Needs.NOTHING, cast -> each(cast.gateways(), Kill::new)),
    KILL_LEDGER("kills the service behind with SIGKILL", Needs.NOTHING, cast -> List.of(new Kill(cast.ledger()))),
    KILL_POSTGRESQL(
            "kills the database with SIGKILL, all its processes",
            Needs.OWN_DATABASE,
            cast -> onDatabase(cast, Kill::new)),
    PAUSE_GATEWAY(
            "stops a gateway for longer than a lease, and lets it go on",
            Needs.NOTHING,
            cast -> each(cast.gateways(), Pause::new)),
    PAUSE_POSTGRESQL("stops the database, and lets it go on", Needs.OWN_DATABASE, cast -> onDatabase(cast, Pause::new)),
    DELAY(Weather.DELAY),
    BLACK_HOLE(Weather.BLACK_HOLE),
    RESET(Weather.RESET),
    REFUSE(Weather.REFUSE),
    CUT_AFTER_REQUEST(Weather.CUT_AFTER_REQUEST),
    CUT_IN_RESPONSE(Weather.CUT_IN_RESPONSE),
    CLOCK("sets the clock of a gateway ahead or back, and right again", Needs.FAKETIME, FaultKind::clocks),
    SYNC_ERROR("lets every fsync of the store fail", Needs.STRACE, FaultKind::syncErrors),
    FULL_DISK("fills the disk of the store", Needs.OWN_DISK, cast -> onDisk(cast, FullDisk::new)),
    POWER_LOSS(
            "kills the store and loses what it has not synced", Needs.OWN_DISK, cast -> onDisk(cast, PowerLoss::new));

    /** Where leases are judged by the clock that jumps, a jump is waited for at the end. */
    private static final Duration FARTHEST_WITH_LEASES = Duration.ofSeconds(10);

    private static final Duration FARTHEST = Duration.ofHours(1);

    private final String about;
    private final Needs needs;

    @SuppressWarnings("ImmutableEnumChecker") // Functions of the cast alone.
    private final Function<Cast, List<? extends Fault>> faults;

    FaultKind(String about, Needs needs, Function<Cast, List<? extends Fault>> faults) {
        this.about = about;
        this.needs = needs;
        this.faults = faults;
    }

    FaultKind(Weather weather) {
        this(
                "a link " + weather.about(),
                Needs.NOTHING,
                cast -> each(cast.links(), link -> new BadWeather(link, weather)));
    }

    /** As it is written on the command line. */
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public String about() {
        return about;
    }

    public Needs needs() {
        return needs;
    }

    /** One for each that it can strike. */
    public List<? extends Fault> on(Cast cast) {
        return faults.apply(cast);
    }

    private static <T> List<? extends Fault> each(List<T> all, Function<T, Fault> fault) {
        return all.stream().map(fault).toList();
    }

    private static List<? extends Fault> onDatabase(Cast cast, Function<Database, Fault> fault) {
        return Stream.ofNullable(cast.store().database()).map(fault).toList();
    }

    private static List<? extends Fault> clocks(Cast cast) {
        Duration farthest = cast.store().isShared() ? FARTHEST : FARTHEST_WITH_LEASES;
        return cast.gateways().stream().flatMap(it -> clock(it, farthest)).toList();
    }

    private static Stream<Fault> clock(Gateway gateway, Duration farthest) {
        WallClock clock = gateway.wallClock();
        return clock == null ? Stream.empty() : Stream.of(new ClockJump(gateway, clock, farthest));
    }

    private static List<? extends Fault> syncErrors(Cast cast) {
        Database database = cast.store().database();
        if (database != null) return List.of(new SyncError(database, database::pids));
        Gateway keeper = cast.gateways().getFirst();
        return List.of(new SyncError(keeper, () -> List.of(keeper.pid())));
    }

    @FunctionalInterface
    private interface DiskFault {
        Fault on(Disk disk, Mortal keeper);
    }

    private static List<? extends Fault> onDisk(Cast cast, DiskFault fault) {
        @Nullable Disk disk = cast.store().disk();
        if (disk == null) return List.of();
        Database database = cast.store().database();
        return List.of(
                fault.on(disk, database != null ? database : cast.gateways().getFirst()));
    }
}
