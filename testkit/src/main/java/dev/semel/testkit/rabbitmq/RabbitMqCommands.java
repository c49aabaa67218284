package dev.semel.testkit.rabbitmq;

import dev.semel.testkit.server.ProcessEnd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The programs of Debian's RabbitMQ, and what they are told so that nothing of the machine's own RabbitMQ is touched. */
final class RabbitMqCommands {
    /** Not those on the path, which change to a user of their own and need its folders. */
    private static final Path PROGRAMS = Path.of("/usr/lib/rabbitmq/bin");

    private static final List<Path> PORT_MAPPERS = List.of(Path.of("/usr/bin/epmd"), Path.of("/usr/local/bin/epmd"));

    private RabbitMqCommands() {}

    /**
     * The server, together with the program by which nodes of Erlang find each other. That one has to run before the server and end
     * after it: a server that misses it starts one by itself, which nobody would end.
     */
    static List<String> server(int portMapper) {
        String together = """
            "$1" -address 127.0.0.1 -port "$2" &
            mapper=$!
            "$3" &
            server=$!
            trap 'kill -TERM $server; kill -CONT $server' TERM
            wait $server
            wait $server
            kill $mapper
            """;
        return List.of(
                "sh",
                "-c",
                together,
                "rabbitmq",
                portMapper().toString(),
                Integer.toString(portMapper),
                program("rabbitmq-server").toString());
    }

    private static Path portMapper() {
        return PORT_MAPPERS.stream().filter(Files::isExecutable).findFirst().orElseThrow(() -> missing("epmd"));
    }

    private static Path program(String name) {
        Path program = PROGRAMS.resolve(name);
        if (!Files.isExecutable(program)) throw missing(program.toString());
        return program;
    }

    private static IllegalStateException missing(String program) {
        return new IllegalStateException(
                "RabbitMQ is not installed: there is no " + program + ". Run: scripts/tools.sh rabbitmq-server");
    }

    static Map<String, String> environment(Path folder, String node, int portMapper, int nodePort) {
        return Map.ofEntries(
                Map.entry("HOME", folder.toString()),
                Map.entry("RABBITMQ_NODENAME", node + "@localhost"),
                Map.entry("RABBITMQ_MNESIA_BASE", folder.resolve("mnesia").toString()),
                Map.entry("RABBITMQ_LOG_BASE", folder.resolve("log").toString()),
                Map.entry("RABBITMQ_LOGS", "-"),
                Map.entry(
                        "RABBITMQ_CONFIG_FILE", folder.resolve("rabbitmq.conf").toString()),
                Map.entry(
                        "RABBITMQ_ENABLED_PLUGINS_FILE",
                        folder.resolve("enabled_plugins").toString()),
                Map.entry("RABBITMQ_DIST_PORT", Integer.toString(nodePort)),
                Map.entry("ERL_EPMD_PORT", Integer.toString(portMapper)),
                Map.entry("ERL_EPMD_ADDRESS", "127.0.0.1"),
                Map.entry("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}"),
                Map.entry("RABBITMQ_CTL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}"),
                // Without a shell of its own that passes signals on.
                Map.entry("RUNNING_UNDER_SYSTEMD", "true"));
    }

    /** Runs {@code rabbitmqctl}, which takes about a second. @return what it said */
    static String control(Map<String, String> environment, Path folder, String... arguments) {
        List<String> command = new ArrayList<>(List.of(program("rabbitmqctl").toString(), "--quiet"));
        command.addAll(List.of(arguments));
        Path said = folder.resolve("rabbitmqctl.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().putAll(environment);
        try {
            boolean well = ProcessEnd.well(builder.start());
            String text = Files.readString(said);
            if (!well) throw new IllegalStateException("rabbitmqctl " + List.of(arguments) + " failed:\n" + text);
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
