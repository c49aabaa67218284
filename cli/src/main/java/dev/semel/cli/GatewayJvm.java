package dev.semel.cli;

import java.util.ArrayList;
import java.util.List;

/** The options with which a gateway is started as a process of its own: those of the start script, and some more. */
final class GatewayJvm {
    /**
     * Native code for the store, and a look into the platform for requests that run on their event loop. A process without
     * memory ends, so that it is started again: it would otherwise live on and refuse everything.
     */
    private static final List<String> ALWAYS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-XX:+ExitOnOutOfMemoryError");

    private GatewayJvm() {}

    static List<String> with(String... more) {
        List<String> options = new ArrayList<>(ALWAYS);
        options.addAll(List.of(more));
        return List.copyOf(options);
    }
}
