package dev.semel.torture.system;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How a gateway, or a service with the library, is started: a main class, which takes the name of its configuration as its last argument.
 *
 * @param jvmOptions also {@code -cp}, when it is not of the class path of this process
 */
public record DoorProgram(List<String> jvmOptions, String mainClass, List<String> arguments) {

    List<String> command(Path config) {
        List<String> all = new ArrayList<>(arguments);
        all.add(config.toString());
        return ChildProcess.jvm(jvmOptions, mainClass, all);
    }
}
