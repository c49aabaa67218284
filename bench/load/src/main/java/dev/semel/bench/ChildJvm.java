package dev.semel.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM with the same JDK as this one, for what must not share a process with the one that measures it. */
public final class ChildJvm extends ChildProcess {
    private ChildJvm(ProcessBuilder builder) throws IOException {
        super(builder);
    }

    /** Starts a main class of this class path. What it prints, also to stderr, is read and not shown. */
    public static ChildJvm start(List<String> jvmOptions, String mainClass, List<String> arguments) throws IOException {
        return start(System.getProperty("java.class.path"), jvmOptions, mainClass, arguments);
    }

    /** Starts a main class of another class path. */
    public static ChildJvm start(String classPath, List<String> jvmOptions, String mainClass, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(arguments);
        return new ChildJvm(new ProcessBuilder(command));
    }
}
