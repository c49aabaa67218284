package dev.semel.torture.nemesis;

import dev.semel.torture.cast.Database;
import java.io.IOException;
import java.util.Random;

/** SIGSTOP of all processes of the database: its connections stay, and nothing answers. */
record PauseDatabase(Database database) implements Fault {
    @Override
    public String target() {
        return database.name();
    }

    @Override
    public void strike(Random luck) throws IOException, InterruptedException {
        database.pause();
    }

    @Override
    public void mend() throws IOException, InterruptedException {
        database.resume();
    }
}
