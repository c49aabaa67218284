package shop;

import dev.semel.core.Operation;
import dev.semel.core.Semel;
import dev.semel.core.store.KeyStore;
import dev.semel.json.Json;
import dev.semel.store.jdbc.PostgresKeyStore;
import dev.semel.store.rocksdb.RocksKeyStore;

/** Charges an order once, on the store whose URL is given. Prints the receipt, and how often this process paid for it. */
class Shop {
    record Receipt(String id) {}

    static int payments;

    public static void main(String[] args) {
        String url = args[0];
        try (KeyStore store = url.startsWith("rocksdb:") ? RocksKeyStore.open(url) : PostgresKeyStore.open(url);
                Semel semel = Semel.on(store).start()) {
            Operation<Receipt> charge = semel.operation("charge", Json.codec(Receipt.class));
            for (int i = 0; i < 3; i++) {
                Receipt receipt = charge.once("order-1", 1000, attempt -> new Receipt("r-" + ++payments));
                System.out.println(receipt + " after " + payments + " payments here");
            }
        }
    }
}
