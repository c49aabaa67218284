package dev.semel.store.rocksdb;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import java.time.Instant;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The bytes of a record in RocksDB: written twice for a first request, read once for a replay. */
@State(Scope.Thread)
public class RecordCodecBench {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final KeyId id = KeyId.of("", "POST /v1/charges", "7f3a9b21-3f9d-4c7a-81b8-4e6f00000001");
    private final KeyRecord held = record(new KeyState.Held("holder-1", NOW.plusSeconds(30)));
    private final KeyRecord done =
            record(new KeyState.Done(Outcome.of(new byte[300]), NOW.plusSeconds(3600), NOW.plusSeconds(7200)));
    private final byte[] bytes = RecordCodec.encode(done);

    private KeyRecord record(KeyState state) {
        return new KeyRecord(id, Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[32]), 1, 1, 1, NOW, state);
    }

    @Benchmark
    public byte[] recordEncodeHeld() {
        return RecordCodec.encode(held);
    }

    @Benchmark
    public byte[] recordEncodeDone() {
        return RecordCodec.encode(done);
    }

    @Benchmark
    public KeyRecord recordDecodeDone() {
        return RecordCodec.decode(bytes, id, null);
    }
}
