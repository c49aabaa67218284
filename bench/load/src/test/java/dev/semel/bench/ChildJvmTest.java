package dev.semel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ChildJvmTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    @Test
    void a_child_is_heard_measured_and_gone_after_close() throws Exception {
        long pid;
        try (ChildJvm child = upstream()) {
            assertTrue(Integer.parseInt(child.awaitLine("listening ", SOON).substring(10)) > 0);
            pid = child.pid();
            assertTrue(ProcessHandle.of(pid).orElseThrow().isAlive());
            assertTrue(child.cpuTime().isPositive());
        }
        assertFalse(ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent());
    }

    @Test
    void a_child_that_ends_early_tells_what_it_printed() throws Exception {
        try (ChildJvm child = ChildJvm.start(QUICK, UpstreamServer.class.getName(), List.of("--wrong"))) {
            IOException e = assertThrows(IOException.class, () -> child.awaitLine("listening ", SOON));
            assertTrue(e.getMessage().contains("usage: --port N"), e.getMessage());
        }
    }

    @Test
    void a_child_dies_with_its_parent() throws Exception {
        try (ChildJvm parent = ChildJvm.start(QUICK, Parent.class.getName(), List.of())) {
            long pid = Long.parseLong(parent.awaitLine("child ", SOON).substring("child ".length()));
            Optional<ProcessHandle> child = ProcessHandle.of(pid);
            try {
                if (child.isPresent()) child.get().onExit().get(10, TimeUnit.SECONDS);
                assertEquals(Optional.empty(), ProcessHandle.of(pid).filter(ProcessHandle::isAlive));
            } finally {
                child.ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    /** Starts a child and ends without a thought for it. */
    static final class Parent {
        public static void main(String[] args) throws Exception {
            ChildJvm child = upstream();
            child.awaitLine("listening ", SOON);
            System.out.println("child " + child.pid());
        }
    }

    private static ChildJvm upstream() throws IOException {
        return ChildJvm.start(QUICK, UpstreamServer.class.getName(), List.of("--port", "0"));
    }
}
