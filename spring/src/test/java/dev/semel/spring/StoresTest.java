package dev.semel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.semel.core.store.KeyStore;
import dev.semel.testkit.mariadb.MariaDbServer;
import dev.semel.testkit.redis.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** Keys elsewhere than in PostgreSQL. */
@Timeout(60)
class StoresTest {
    private static final AtomicInteger RUNS = new AtomicInteger();

    static class Shop {
        @Once(key = "#id")
        public int charge(String id) {
            return RUNS.incrementAndGet();
        }
    }

    @Test
    void keys_in_redis_named_by_a_url(@TempDir Path folder) {
        try (RedisServer server = RedisServer.start(folder)) {
            assertRunsOnce(
                    "RedisKeyStore",
                    "semel.store=" + server.url(),
                    "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/no");
        }
    }

    @Test
    void keys_in_mariadb_named_by_a_url_or_by_the_data_source(@TempDir Path folder) {
        try (MariaDbServer server = MariaDbServer.start(folder)) {
            assertRunsOnce(
                    "MariaDbKeyStore",
                    "semel.store=" + server.jdbcUrl(),
                    "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/no");
            assertRunsOnce("MariaDbKeyStore", "spring.datasource.url=" + server.jdbcUrl() + "&allowMultiQueries=true");
        }
    }

    /** Also across a restart of the application, and without accepting that keys are lost. */
    private static void assertRunsOnce(String store, String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("semel.accept-lost-keys=false");
        String key = "order of " + String.join(" ", all);
        int before = RUNS.get();
        for (int i = 0; i < 2; i++)
            try (ConfigurableApplicationContext started =
                    Applications.start(WebApplicationType.NONE, all, Shop.class)) {
                assertEquals(store, started.getBean(KeyStore.class).getClass().getSimpleName());
                assertEquals(before + 1, started.getBean(Shop.class).charge(key.substring(0, 60)));
            }
        assertEquals(before + 1, RUNS.get());
    }
}
