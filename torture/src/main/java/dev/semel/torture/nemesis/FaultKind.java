package dev.semel.torture.nemesis;

import dev.semel.torture.net.LinkCondition;
import dev.semel.torture.system.Disk;
import dev.semel.torture.system.GatewayProcess;
import dev.semel.torture.system.ManagedProcess;
import dev.semel.torture.system.PostgresProcess;
import dev.semel.torture.system.SystemUnderTest;
import dev.semel.torture.system.WallClock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every kind of fault that a run knows: what it does, what it needs, and what of the system it can break. */
public enum FaultKind {
    KILL_GATEWAY(
            "kills a gateway with SIGKILL", Requirement.GATEWAY_DOOR, system -> each(system.gateways(), Kill::new)),
    KILL_LIBRARY(
            "kills a service with the library with SIGKILL",
            Requirement.LIBRARY_DOOR,
            system -> each(system.libraries(), Kill::new)),
    KILL_LEDGER(
            "kills the service behind with SIGKILL", Requirement.NOTHING, system -> List.of(new Kill(system.ledger()))),
    KILL_POSTGRESQL(
            "kills the database with SIGKILL, all its processes",
            Requirement.OWN_DATABASE,
            system -> onDatabase(system, Kill::new)),
    PAUSE_GATEWAY(
            "stops a gateway for longer than a lease, and lets it go on",
            Requirement.GATEWAY_DOOR,
            system -> each(system.gateways(), Pause::new)),
    PAUSE_LIBRARY(
            "stops a service with the library for longer than a lease, and lets it go on",
            Requirement.LIBRARY_DOOR,
            system -> each(system.libraries(), Pause::new)),
    PAUSE_POSTGRESQL(
            "stops the database, and lets it go on",
            Requirement.OWN_DATABASE,
            system -> onDatabase(system, Pause::new)),
    DELAY(LinkCondition.DELAY),
    BLACK_HOLE(LinkCondition.BLACK_HOLE),
    RESET(LinkCondition.RESET),
    REFUSE(LinkCondition.REFUSE),
    CUT_AFTER_REQUEST(LinkCondition.CUT_AFTER_REQUEST),
    CUT_IN_RESPONSE(LinkCondition.CUT_IN_RESPONSE),
    CLOCK(
            "sets the clock of a gateway or such a service ahead or back, and right again",
            Requirement.FAKETIME,
            FaultKind::clocks),
    SYNC_ERROR("lets every fsync of the store fail", Requirement.STRACE, FaultKind::syncErrors),
    FULL_DISK("fills the disk of the store", Requirement.OWN_DISK, system -> onDisk(system, FullDisk::new)),
    POWER_LOSS(
            "kills the store and loses what it has not synced",
            Requirement.OWN_DISK,
            system -> onDisk(system, PowerLoss::new));

    /** Where leases are judged by the clock that jumps, a jump is waited for at the end. */
    private static final Duration FARTHEST_WITH_LEASES = Duration.ofSeconds(10);

    private static final Duration FARTHEST = Duration.ofHours(1);

    private final String about;
    private final Requirement requirement;

    @SuppressWarnings("ImmutableEnumChecker") // Functions of the system alone.
    private final Function<SystemUnderTest, List<? extends Fault>> faults;

    FaultKind(String about, Requirement requirement, Function<SystemUnderTest, List<? extends Fault>> faults) {
        this.about = about;
        this.requirement = requirement;
        this.faults = faults;
    }

    FaultKind(LinkCondition condition) {
        this(
                "a link " + condition.about(),
                Requirement.NOTHING,
                system -> each(system.links(), link -> new LinkFault(link, condition)));
    }

    /** As it is written on the command line. */
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public String about() {
        return about;
    }

    public Requirement requirement() {
        return requirement;
    }

    /** One for each that it can strike. */
    public List<? extends Fault> on(SystemUnderTest system) {
        return faults.apply(system);
    }

    private static <T> List<? extends Fault> each(List<T> all, Function<T, Fault> fault) {
        return all.stream().map(fault).toList();
    }

    private static List<? extends Fault> onDatabase(SystemUnderTest system, Function<PostgresProcess, Fault> fault) {
        return Stream.ofNullable(system.store().database()).map(fault).toList();
    }

    private static List<? extends Fault> clocks(SystemUnderTest system) {
        Duration farthest = system.store().isShared() ? FARTHEST : FARTHEST_WITH_LEASES;
        return Stream.concat(
                        system.gateways().stream().flatMap(it -> clock(it, it.wallClock(), farthest)),
                        system.libraries().stream().flatMap(it -> clock(it, it.wallClock(), farthest)))
                .toList();
    }

    private static Stream<Fault> clock(ManagedProcess process, @Nullable WallClock clock, Duration farthest) {
        return clock == null ? Stream.empty() : Stream.of(new ClockJump(process, clock, farthest));
    }

    private static List<? extends Fault> syncErrors(SystemUnderTest system) {
        PostgresProcess database = system.store().database();
        if (database != null) return List.of(new SyncError(database, database::pids));
        GatewayProcess storeProcess = system.gateways().getFirst();
        return List.of(new SyncError(storeProcess, () -> List.of(storeProcess.pid())));
    }

    @FunctionalInterface
    private interface DiskFault {
        Fault on(Disk disk, ManagedProcess storeProcess);
    }

    private static List<? extends Fault> onDisk(SystemUnderTest system, DiskFault fault) {
        @Nullable Disk disk = system.store().disk();
        if (disk == null) return List.of();
        PostgresProcess database = system.store().database();
        return List.of(
                fault.on(disk, database != null ? database : system.gateways().getFirst()));
    }
}
