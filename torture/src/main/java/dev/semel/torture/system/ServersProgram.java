package dev.semel.torture.system;

import java.nio.file.Path;

/**
 * What starts the servers of stores: a program of its own, since a server's jars may not come onto the class path of this process.
 *
 * @param folder where it unpacks what it starts
 */
public record ServersProgram(String classPath, Path folder) {
    static final String MAIN = "dev.semel.torture.servers.ServerHost";
}
