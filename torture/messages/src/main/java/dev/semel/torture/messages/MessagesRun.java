package dev.semel.torture.messages;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.tables.OutboxStatus;
import dev.semel.torture.messages.check.Arrival;
import dev.semel.torture.messages.check.MessageLaws;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One run: everything is started, broken while writers write, brought to rest, and checked. */
final class MessagesRun implements AutoCloseable {
    private static final int SHARED_KEYS = 24;
    private static final int OWN_KEYS = 8;
    /** On a machine that is busy with other things relays would be killed before they have sent anything. */
    private static final long ARRIVED_BETWEEN_KILLS = 500;

    private static final long MOST_UNDER_WAY = 4000;
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    private final Options options;
    private final TestDatabase database;
    private final TestBroker broker;
    private final PrintStream out;
    private final Random random;
    private final HikariDataSource pool;
    private final Outbox outbox;
    private final Fleet relays = new Fleet();
    private final Fleet consumers = new Fleet();
    private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
    private final AtomicLong arrived = new AtomicLong();
    private final Writer.Counts counts = Writer.Counts.zero();
    private final Set<String> dropped = new HashSet<>();
    private final long began = System.nanoTime();
    private long nextLine = began;
    private int brokerKills;
    private int databaseKills;
    private int pauses;
    private int leftLetters;

    private MessagesRun(
            Options options,
            TestDatabase database,
            TestBroker broker,
            PrintStream out,
            HikariDataSource pool,
            Outbox outbox) {
        this.options = options;
        this.database = database;
        this.broker = broker;
        this.out = out;
        this.pool = pool;
        this.outbox = outbox;
        this.random = new Random(options.seed());
    }

    /** @param database and {@code broker} are the run's own while it lasts; whoever started them ends them */
    static Report run(Options options, TestDatabase database, TestBroker broker, PrintStream out) throws Exception {
        HikariDataSource pool = Databases.pool(database.url("torture"), options.writers() + 4);
        try (pool;
                MessagesRun run = new MessagesRun(options, database, broker, out, pool, Outbox.open(pool))) {
            return run.all();
        }
    }

    private Report all() throws Exception {
        prepare();
        Thread reader = broker.read(arrival -> {
            arrivals.add(arrival);
            arrived.incrementAndGet();
        });
        launch();
        writeAndBreak();
        long written = System.nanoTime();
        comeToRest();
        reader.interrupt();
        return report(written);
    }

    private void prepare() throws Exception {
        Inbox.open(pool, new InboxWindow(Duration.ofDays(30)));
        try (Connection connection = pool.getConnection()) {
            Ledger.create(connection, allKeys());
            database.prepare(connection);
        }
        broker.createTopics();
    }

    private void launch() {
        Path logs = options.folder().resolve("logs");
        for (int i = 1; i <= options.relays(); i++) {
            String name = "relay-" + i;
            relays.launch(
                    name,
                    logs,
                    options.relay(),
                    List.of(
                            database.url(name),
                            broker.relayUrl(),
                            name,
                            Long.toString(options.lease().toMillis())));
        }
        for (int i = 1; i <= options.consumers(); i++) {
            String name = "consumer-" + i;
            consumers.launch(
                    name,
                    logs,
                    ConsumerChild.class.getName(),
                    List.of(database.url(name), broker.consumerUrl(), name, broker.topic()));
        }
    }

    private static List<String> sharedKeys() {
        return Stream.concat(
                        IntStream.range(0, SHARED_KEYS).mapToObj(i -> "shared-" + i),
                        Stream.of(Operator.DROPPED, Operator.RESENT))
                .toList();
    }

    private static List<String> ownKeys(int writer) {
        return IntStream.range(0, OWN_KEYS)
                .mapToObj(i -> "own-" + writer + "-" + i)
                .toList();
    }

    private List<String> allKeys() {
        List<String> all = new ArrayList<>(sharedKeys());
        for (int i = 0; i < options.writers(); i++) all.addAll(ownKeys(i));
        return all;
    }

    private void writeAndBreak() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < options.writers(); i++) {
            // All lock keys in the order of their names, so none waits for another in a circle.
            List<String> keys = Stream.concat(ownKeys(i).stream(), sharedKeys().stream())
                    .sorted()
                    .toList();
            List<String> poison =
                    i == 0 && options.faults().poisons() ? List.of(Operator.DROPPED, Operator.RESENT) : List.of();
            Writer writer = new Writer(
                    pool,
                    database,
                    outbox,
                    broker.topic(),
                    keys,
                    poison,
                    counts,
                    options.seed() + i,
                    stop,
                    this::isFarBehind);
            writers.add(Thread.ofPlatform().name("writer-" + i).start(writer));
        }
        try {
            breakUntilWritten();
        } finally {
            stop.set(true);
            for (Thread writer : writers) writer.join();
        }
    }

    private boolean isFarBehind() {
        return counts.committed().sum() - arrived.get() > MOST_UNDER_WAY;
    }

    /** What is done once, at which part of the run, in hundredths. */
    private record Event(int percent, Step step) {}

    private interface Step {
        void run() throws Exception;
    }

    private List<Event> events() {
        Operator operator = new Operator(outbox, broker);
        Event poison = new Event(50, () -> dropped.addAll(operator.mend()));
        return switch (options.faults()) {
            case NONE -> List.of();
            case POISON -> List.of(poison);
            case LATE_RELAY -> List.of(new Event(30, this::delayRelay), new Event(40, this::delayRelayUnlessCaught));
            case FEW -> List.of(new Event(20, this::delayRelay), poison);
            case ALL ->
                List.of(new Event(25, this::killBroker), new Event(40, this::delayRelay), poison, new Event(75, () -> {
                    databaseKills++;
                    database.kill9();
                    database.restart();
                }));
        };
    }

    private void breakUntilWritten() throws Exception {
        List<Event> events = new ArrayList<>(events());
        long deadline = began + options.atMost().toNanos();
        boolean kills = options.faults() == Options.Faults.FEW || options.faults() == Options.Faults.ALL;
        long atKill = 0;
        long nextKill = System.nanoTime() + options.betweenKills().toNanos();
        while (true) {
            boolean inTime = System.nanoTime() - deadline < 0;
            long percent = inTime ? arrived.get() * 100 / options.messages() : 100;
            if (percent >= 100 && events.isEmpty()) return;
            if (!events.isEmpty() && percent >= events.getFirst().percent())
                events.removeFirst().step().run();
            else if (kills && System.nanoTime() - nextKill >= 0 && arrived.get() > atKill + ARRIVED_BETWEEN_KILLS) {
                atKill = arrived.get();
                relays.killAndStart(random.nextInt(relays.size()));
                if (consumers.size() > 0 && random.nextInt(3) == 0)
                    consumers.killAndStart(random.nextInt(consumers.size()));
                nextKill = System.nanoTime() + options.betweenKills().toNanos() * (75 + random.nextInt(50)) / 100;
            }
            startEnded();
            line("writing");
            pause(20);
        }
    }

    private void startEnded() {
        relays.startEnded();
        consumers.startEnded();
    }

    private void killBroker() {
        brokerKills++;
        broker.kill9();
        broker.restart();
    }

    /**
     * A relay hangs, with answers of the broker that it has not written down, until others have its shards, and then goes on. The broker
     * is gone meanwhile, so that nobody else has sent these messages again.
     */
    private void delayRelay() throws Exception {
        int late = relayAtWork();
        while (!strand(late)) late = relayAtWork();
        String name = "relay-" + (late + 1);
        int had = shards(name);
        pauses++;
        brokerKills++;
        broker.kill9();
        long deadline = System.nanoTime() + options.lease().multipliedBy(2).toNanos();
        while (shards(name) > had / 2 && System.nanoTime() - deadline < 0) pause(50);
        relays.resume(late);
        pause(700);
        broker.restart();
    }

    private boolean strand(int relay) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            boolean stranded = database.strand(connection, "relay-" + (relay + 1), () -> relays.pause(relay));
            if (!stranded) relays.resume(relay);
            return stranded;
        }
    }

    private void delayRelayUnlessCaught() throws Exception {
        boolean caught;
        try (Connection connection = pool.getConnection()) {
            caught = !database.lateDeletes(connection).isEmpty();
        }
        if (!caught) delayRelay();
    }

    /** One that has shards, and sends. */
    private int relayAtWork() throws SQLException {
        while (true) {
            long before = arrived.get();
            pause(200);
            int relay = random.nextInt(relays.size());
            if (arrived.get() > before && shards("relay-" + (relay + 1)) > 1) return relay;
            line("waiting for a relay that sends");
        }
    }

    private int shards(String relay) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return database.shards(connection, relay);
        }
    }

    private void comeToRest() throws SQLException {
        Operator operator = new Operator(outbox, broker);
        List<Long> before = List.of();
        long moved = System.nanoTime();
        while (System.nanoTime() - moved < options.patience().toNanos()) {
            List<Long> now = state();
            if (now.get(0) == 0 && now.get(1) == 0 && now.get(2) == 0 && now.get(3) == 0) return;
            if (!now.equals(before)) moved = System.nanoTime();
            before = now;
            if (!dropped.isEmpty() && operator.redriveRest()) leftLetters++;
            startEnded();
            line("waiting until all has come to rest");
            pause(300);
        }
    }

    /** How much is still to be done; arrivals, which go on coming when some come twice, make it move too. */
    private List<Long> state() throws SQLException {
        OutboxStatus status = outbox.status();
        try (Connection connection = pool.getConnection()) {
            long expected = Ledger.count(connection, "torture_ledger") - dropped.size();
            Set<String> distinct = new HashSet<>();
            arrivals.forEach(it -> distinct.add(it.id()));
            long effects = options.consumers() == 0 ? expected : Ledger.count(connection, "torture_effect");
            return List.of(
                    status.waiting(), status.deadLetters(), expected - distinct.size(), expected - effects, (long)
                            arrivals.size());
        }
    }

    private Report report(long written) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            var committed = Ledger.read(connection, dropped);
            List<Arrival> all = List.copyOf(arrivals);
            Set<String> distinct = new HashSet<>();
            all.forEach(it -> distinct.add(it.id()));
            List<String> effects = Ledger.effects(connection);
            Report report = new Report(MessageLaws.check(
                    committed,
                    all,
                    options.consumers() == 0
                            ? committed.stream()
                                    .filter(it -> !it.dropped())
                                    .sorted(java.util.Comparator.comparingLong(it -> it.number()))
                                    .map(it -> it.id())
                                    .toList()
                            : effects,
                    database.lateDeletes(connection)));
            report.fact("seed", options.seed());
            report.fact("committed", committed.size());
            report.fact(
                    "appended by calls in SQL, also those rolled back",
                    counts.called().sum());
            report.fact("rolled back", counts.rolledBack().sum());
            report.fact("transactions that failed", counts.unknown().sum());
            report.fact("arrived", all.size());
            report.fact("of these duplicates", all.size() - distinct.size());
            report.fact("effects", effects.size());
            report.fact("dropped by the operator", dropped.size());
            report.fact("redrives that had to be asked for again", leftLetters);
            report.fact("relays killed", relays.kills());
            report.fact("relays that hung and came back late", pauses);
            report.fact("consumers killed", consumers.kills());
            report.fact("processes that ended and were started again", relays.ended() + consumers.ended());
            report.fact("broker killed", brokerKills);
            report.fact("database killed", databaseKills);
            report.fact("seconds of writing", (written - began) / 1_000_000_000);
            report.fact("seconds in all", (System.nanoTime() - began) / 1_000_000_000);
            return report;
        }
    }

    private void line(String what) {
        if (System.nanoTime() - nextLine < 0) return;
        nextLine = System.nanoTime() + BETWEEN_LINES.toNanos();
        out.printf(
                "%4d s  %s: %,d committed, %,d arrived, %d relays, %d consumers and %d brokers killed%n",
                (System.nanoTime() - began) / 1_000_000_000,
                what,
                counts.committed().sum(),
                arrived.get(),
                relays.kills(),
                consumers.kills(),
                brokerKills);
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(millis * 1_000_000);
    }

    @Override
    public void close() {
        relays.close();
        consumers.close();
    }
}
