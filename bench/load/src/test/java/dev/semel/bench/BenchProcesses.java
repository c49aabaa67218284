package dev.semel.bench;

import java.io.IOException;
import java.util.List;

/** Processes that look like the real ones and start quickly. */
public final class BenchProcesses {
    private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private BenchProcesses() {}

    public static ChildProcess fakeGateway(String store, int port, String upstream) throws IOException {
        return ChildJvm.start(QUICK_START, FakeGateway.class.getName(), List.of("--port", Integer.toString(port)));
    }
}
