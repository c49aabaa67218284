package dev.semel.store.rocksdb;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Outcome;
import java.nio.file.Path;
import java.util.Random;

/** The process that {@link CrashTest} kills. Says a line for each write that was answered. */
final class CrashChild {
    /** How a line ends that was said in full. */
    static final String END = " .";

    private CrashChild() {}

    public static void main(String[] args) {
        try {
            RocksKeyStore store = RocksKeyStore.open(Path.of(args[1]), Durability.valueOf(args[2]));
            if (args[0].equals("write")) for (int i = 0; i < 16; i++) start(store, "caller-" + i + "-");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }

    private static void start(RocksKeyStore store, String name) {
        Thread.ofPlatform().start(() -> {
            for (int i = 0; ; i++) {
                KeyRecord held = Sample.insert(store, name + i);
                System.out.println("claimed " + name + i + END);
                Sample.complete(store, held, outcome(name + i));
                System.out.println("completed " + name + i + END);
            }
        });
    }

    static Outcome outcome(String key) {
        Random random = new Random(key.hashCode());
        return Sample.outcome(random.nextInt(8_000), random);
    }
}
