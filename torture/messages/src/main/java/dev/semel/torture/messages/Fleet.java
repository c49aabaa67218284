package dev.semel.torture.messages;

import dev.semel.testkit.server.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Processes of one kind, which are killed and started again. For one thread. */
final class Fleet implements AutoCloseable {
    private static final List<String> JVM = List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** Also of use in another folder. */
    private static final String CLASS_PATH = Stream.of(
                    System.getProperty("java.class.path").split(":"))
            .map(it -> Path.of(it).toAbsolutePath().toString())
            .collect(Collectors.joining(":"));

    private static final int MOST_ENDED = 30;

    private final List<ServerProcess> members = new ArrayList<>();
    private int kills;
    private int ended;

    /** @param arguments of the main class */
    void launch(String name, Path folder, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-cp", CLASS_PATH, mainClass));
        command.addAll(arguments);
        members.add(ServerProcess.launch(name, folder, command, Map.of()));
    }

    int size() {
        return members.size();
    }

    int kills() {
        return kills;
    }

    void killAndStart(int member) {
        kills++;
        members.get(member).kill9();
        members.get(member).relaunch();
    }

    void pause(int member) {
        members.get(member).pause();
    }

    void resume(int member) {
        members.get(member).resume();
    }

    /**
     * Starts those again that have ended by themselves, as whoever runs them would: some cannot start without their broker.
     *
     * @throws IllegalStateException when that goes on and on
     */
    void startEnded() {
        for (ServerProcess member : members) {
            if (member.isAlive()) continue;
            if (++ended > MOST_ENDED) throw new IllegalStateException("Processes end by themselves:\n" + member.log());
            member.relaunch();
        }
    }

    /** How often one has ended by itself. */
    int ended() {
        return ended;
    }

    @Override
    public void close() {
        for (ServerProcess member : members) member.kill9();
        for (ServerProcess member : members) member.close();
    }
}
