package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.bench.ChildJvm;
import dev.semel.torture.fuzz.HttpFuzz;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class HttpFuzzTest {
    private static final int REQUESTS = 5_000;

    @TempDir
    Path folder;

    private void holds(long seed) throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            HttpFuzz.Options options = new HttpFuzz.Options(
                    REQUESTS, seed, 64, "rocksdb:" + folder.resolve("keys"), folder.resolve("report"));
            int violations = HttpFuzz.run(options, HttpFuzzTest::launch, out);
            assertEquals(0, violations, () -> said.toString(StandardCharsets.UTF_8));
        }
        String text = said.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("answered 201") && text.contains("answered 400"), text);
    }

    /** Compiles less than a gateway of everybody else's, which would pay in longer runs only. */
    private static ChildJvm launch(Path config) throws IOException {
        return ChildJvm.start(
                GatewayJvm.with("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m"),
                Main.class.getName(),
                List.of("serve", "--accept-lost-keys", "--config", config.toString()));
    }

    @Test
    void the_gateway_holds_whatever_is_sent_to_it() throws Exception {
        holds(1);
    }

    @Test
    void the_gateway_holds_with_other_luck() throws Exception {
        holds(ThreadLocalRandom.current().nextLong());
    }
}
