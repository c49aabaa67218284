package dev.semel.cli;

import dev.semel.torture.library.LibraryShop;
import java.io.IOException;
import java.nio.file.Path;

/** A service with the library and a bug. Arguments: the name of the bug, then the configuration. */
public final class BuggyShop {
    private BuggyShop() {}

    public static void main(String[] args) throws IOException {
        LibraryShop.serve(Path.of(args[1]), PlantedBug.valueOf(args[0])::in);
    }
}
