package dev.semel.torture.library;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * What a {@link LibraryShop} is told.
 *
 * @param port where it listens
 * @param store the database with the keys, and with its own table
 * @param table of {@link JoinedLedger}
 * @param ledgerPort where the service behind is reached
 * @param clockBegan when the run began, on the clock of the machine
 * @param slowPercent how many transactions in a hundred take long
 */
public record ShopConfig(int port, String store, String table, int ledgerPort, long clockBegan, int slowPercent) {

    static ShopConfig read(Path file) throws IOException {
        Properties all = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            all.load(in);
        }
        return new ShopConfig(
                Integer.parseInt(all.getProperty("port")),
                all.getProperty("store"),
                all.getProperty("table"),
                Integer.parseInt(all.getProperty("ledger-port")),
                Long.parseLong(all.getProperty("clock-began")),
                Integer.parseInt(all.getProperty("slow-percent")));
    }

    public void write(Path file) throws IOException {
        Properties all = new Properties();
        all.setProperty("port", Integer.toString(port));
        all.setProperty("store", store);
        all.setProperty("table", table);
        all.setProperty("ledger-port", Integer.toString(ledgerPort));
        all.setProperty("clock-began", Long.toString(clockBegan));
        all.setProperty("slow-percent", Integer.toString(slowPercent));
        try (Writer out = Files.newBufferedWriter(file)) {
            all.store(out, null);
        }
    }
}
