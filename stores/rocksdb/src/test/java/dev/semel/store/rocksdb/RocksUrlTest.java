package dev.semel.store.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RocksUrlTest {

    @Test
    void a_folder_alone_is_synced() {
        assertEquals(new RocksUrl(Path.of("./semel-data"), Durability.SYNC), RocksUrl.parse("rocksdb:./semel-data"));
        assertEquals(
                new RocksUrl(Path.of("/var/lib/a folder"), Durability.SYNC),
                RocksUrl.parse("rocksdb:/var/lib/a folder"));
    }

    @Test
    void the_durability_can_be_said() {
        assertEquals(new RocksUrl(Path.of("d"), Durability.SYNC), RocksUrl.parse("rocksdb:d?durability=sync"));
        assertEquals(new RocksUrl(Path.of("d"), Durability.OS), RocksUrl.parse("rocksdb:d?durability=os"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "rocksdb",
                "rocksdb:",
                "rocksdb: ",
                "rocksdb:?durability=os",
                "memory:",
                "rocksdb:d?",
                "rocksdb:d?durability",
                "rocksdb:d?durability=",
                "rocksdb:d?durability=none",
                "rocksdb:d?sync=true",
                "rocksdb:d?durability=os&durability=sync",
                "rocksdb:d\0e"
            })
    void anything_else_is_refused_with_a_sentence(String url) {
        var refused = assertThrows(IllegalArgumentException.class, () -> RocksUrl.parse(url));
        assertTrue(refused.getMessage().contains("rocksdb:DIR"), refused.getMessage());
    }
}
