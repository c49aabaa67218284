package dev.semel.store.rocksdb;

import com.sun.management.OperatingSystemMXBean;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/**
 * Not a test: measures how many claims with their completions the store takes. Arguments, all optional: folder to work
 * in, seconds per run, rounds, callers, durability.
 */
final class CommitBench {
    private static final Fingerprint FINGERPRINT = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[32]);
    private static final Outcome OUTCOME = Outcome.of(body());

    private CommitBench() {}

    public static void main(String[] args) throws IOException {
        Path base = Path.of(args.length > 0 ? args[0] : System.getProperty("java.io.tmpdir"));
        int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        int[] crowds = args.length > 3 ? new int[] {Integer.parseInt(args[3])} : new int[] {64, 256};
        Durability[] durabilities =
                args.length > 4 ? new Durability[] {Durability.valueOf(args[4])} : Durability.values();
        System.out.println("warming up, with one short run that does not count:");
        run(base, 64, Durability.OS, 2);
        System.out.println();
        for (int round = 0; round < rounds; round++)
            for (int callers : crowds)
                for (Durability durability : durabilities) run(base, callers, durability, seconds);
    }

    private static void run(Path base, int callers, Durability durability, int seconds) throws IOException {
        Path dir = Files.createTempDirectory(base, "commit-bench");
        LongAdder pairs = new LongAdder();
        OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        try (RocksKeyStore store = RocksKeyStore.open(dir, durability)) {
            long cpu = machine.getProcessCpuTime();
            long start = System.nanoTime();
            long end = start + Duration.ofSeconds(seconds).toNanos();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int caller = 0; caller < callers; caller++) {
                    String name = "caller-" + caller + "-";
                    threads.submit(() -> {
                        for (int i = 0; System.nanoTime() < end; i++, pairs.increment())
                            claimAndComplete(store, name + i);
                        return null;
                    });
                }
            }
            double took = (System.nanoTime() - start) / 1e9;
            double cpuMicros = (machine.getProcessCpuTime() - cpu) / 1e3;
            CommitCount count = store.commits();
            System.out.printf(
                    "%-4s %3d callers: %,7.0f pairs/s  %,6.0f commits/s  %5.1f writes/commit  %5.1f us CPU/op%n",
                    durability,
                    callers,
                    pairs.sum() / took,
                    count.commits() / took,
                    (double) count.writes() / count.commits(),
                    cpuMicros / (2.0 * pairs.sum()));
        } finally {
            Folders.delete(dir);
        }
    }

    private static void claimAndComplete(RocksKeyStore store, String key) {
        KeyId id = KeyId.of("tenant", "POST /v1/charges", key);
        NewKey claim = new NewKey(id, FINGERPRINT, "holder-" + key, Duration.ofSeconds(30));
        if (!(store.insert(claim) instanceof Inserted.Fresh(KeyRecord record))) throw new IllegalStateException(key);
        Change done = Change.of(record, new Next.Done(OUTCOME, Duration.ofHours(24), Duration.ofDays(30)));
        if (!(store.replace(record, done) instanceof Replaced.Swapped)) throw new IllegalStateException(key);
    }

    private static byte[] body() {
        byte[] bytes = new byte[300];
        Arrays.fill(bytes, (byte) 'x');
        return bytes;
    }
}
