package dev.semel.torture.nemesis;

import dev.semel.torture.net.LinkCondition;
import dev.semel.torture.system.Disk;
import dev.semel.torture.system.GatewayProcess;
import dev.semel.torture.system.HostedServer;
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
    KILL_STORE(
            "kills the server of the store with SIGKILL; in a cluster a master, whose replica takes over",
            Requirement.OWN_SERVER,
            system -> each(system.store().servers(), Kill::new)),
    PAUSE_GATEWAY(
            "stops a gateway for longer than a lease, and lets it go on",
            Requirement.GATEWAY_DOOR,
            system -> each(system.gateways(), Pause::new)),
    PAUSE_LIBRARY(
            "stops a service with the library for longer than a lease, and lets it go on",
            Requirement.LIBRARY_DOOR,
            system -> each(system.libraries(), Pause::new)),
    PAUSE_STORE(
            "stops the server of the store, and lets it go on; in a cluster a master, whose replica takes over",
            Requirement.OWN_SERVER,
            system -> each(system.store().servers(), Pause::new)),
    MOVE_SLOTS(
            "moves slots of a cluster from one master to another, and leaves them there",
            Requirement.CLUSTER,
            system -> onShards(system, MoveSlots::new)),
    LOSE_WRITES(
            "stops a replica from copying its master, kills the master later, and lets the replica take over: what was"
                    + " acknowledged meanwhile is lost (not among 'all'; see --show-loss)",
            Requirement.CLUSTER,
            system -> onShards(system, LoseWrites::new)),
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

    /** Whether it is not among all of them, and done only when it is asked for by its name: it breaks laws for sure. */
    public boolean isOnlyByName() {
        return this == LOSE_WRITES;
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

    private static List<? extends Fault> onShards(SystemUnderTest system, Function<HostedServer, Fault> fault) {
        return system.store().servers().stream()
                .filter(HostedServer.class::isInstance)
                .map(HostedServer.class::cast)
                .map(fault)
                .toList();
    }

    /** Whether it shows what it does only after some time: a pause that leases and time-outs outlast, or a master with a patient replica. */
    boolean takesTime(SystemUnderTest system) {
        return switch (this) {
            case PAUSE_GATEWAY, PAUSE_LIBRARY, PAUSE_STORE -> true;
            case KILL_STORE -> system.store().kind().losesAtFailOver();
            default -> false;
        };
    }

    private static List<? extends Fault> clocks(SystemUnderTest system) {
        Duration farthest =
                system.store().kind().farthestClockJump(system.store().url());
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
