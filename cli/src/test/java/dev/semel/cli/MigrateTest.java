package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Seen;
import dev.semel.gateway.StoreUrls;
import dev.semel.testkit.mariadb.MariaDbServer;
import dev.semel.testkit.postgres.PostgresServer;
import dev.semel.testkit.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** {@code semel migrate} and {@code --store-before} as operators use them, from and to real servers. */
class MigrateTest {
    private static final ClaimPolicy POLICY = ClaimPolicy.DEFAULT.withWaitFor(Duration.ZERO);
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1});
    private static final int MANY = 2_000;

    /** Deadlines go by the clock of the store that a record is in, and on the way some moments pass. */
    private static final Duration MOMENT = Duration.ofSeconds(20);

    @Test
    void keys_go_from_rocksdb_to_postgresql_to_mariadb_to_redis() throws Exception {
        try (TemporaryFolder folder = OpenStore.folder();
                PostgresServer postgres = OpenStore.postgres(folder);
                MariaDbServer maria = MariaDbServer.start(
                        Files.createDirectories(folder.path().resolve("maria")));
                RedisServer redis =
                        RedisServer.start(Files.createDirectories(folder.path().resolve("redis")))) {
            String rocks = "rocksdb:" + folder.path().resolve("keys");
            Map<String, KeyRecord> written = write(rocks);
            String[] chain = {rocks, postgres.jdbcUrl(), maria.jdbcUrl(), redis.url()};
            for (int i = 1; i < chain.length; i++) {
                assertEquals(0, Main.run("migrate", "--from", chain[i - 1], "--to", chain[i]), chain[i]);
                assertSame(written, chain[i]);
                assertEquals(0, Main.run("migrate", "--from", chain[i - 1], "--to", chain[i]), "again");
                assertSame(written, chain[i]);
            }
        }
    }

    private static KeyId id(String key) {
        return KeyId.of("tenant", "POST /v1/charges", key);
    }

    private static Map<String, KeyRecord> write(String url) {
        Map<String, KeyRecord> written = new LinkedHashMap<>();
        try (KeyStore store = StoreUrls.open(url);
                Semel semel = Semel.on(store).start()) {
            granted(semel, "done").complete(Outcome.of(new byte[] {1, 2, 3}));
            granted(semel, "large").complete(Outcome.of(new byte[3 << 20]));
            granted(semel, "free").release();
            granted(semel, "free again").release();
            granted(semel, "free again").release();
            granted(semel, "in doubt").doubt("sent, no answer: 'é'");
            for (String key : new String[] {"done", "large", "free", "free again", "in doubt"})
                written.put(key, found(store, key));
        }
        return written;
    }

    private static Lease granted(Semel semel, String key) {
        if (semel.claim(new ClaimRequest(id(key), ASKED, POLICY)) instanceof Claim.Granted it) return it.lease();
        throw new AssertionError("not granted: " + key);
    }

    private static KeyRecord found(KeyStore store, String key) {
        Seen seen = Objects.requireNonNull(store.find(id(key)), key);
        return Objects.requireNonNull(seen.record().asOf(seen.now()), key);
    }

    private static void assertSame(Map<String, KeyRecord> written, String url) {
        try (KeyStore store = StoreUrls.open(url)) {
            written.forEach((key, was) -> {
                KeyRecord is = found(store, key);
                assertEquals(was.token(), is.token(), key);
                assertEquals(was.attempt(), is.attempt(), key);
                assertEquals(was.fingerprint(), is.fingerprint(), key);
                assertEquals(was.history(), is.history(), key);
                assertEquals(was.state().kind(), is.state().kind(), key);
                switch (was.state()) {
                    case KeyState.Done done -> {
                        KeyState.Done now = (KeyState.Done) is.state();
                        assertEquals(done.outcome(), now.outcome(), key);
                        assertClose(was.since(), is.since(), Duration.ofMillis(1));
                        assertClose(done.replayUntil(), now.replayUntil(), MOMENT);
                        assertClose(done.forgetAt(), now.forgetAt(), MOMENT);
                    }
                    case KeyState.Free free ->
                        assertClose(free.forgetAt(), ((KeyState.Free) is.state()).forgetAt(), MOMENT);
                    case KeyState.InDoubt doubt ->
                        assertEquals(doubt.reason(), ((KeyState.InDoubt) is.state()).reason());
                    default -> throw new AssertionError(is);
                }
            });
        }
    }

    private static void assertClose(Instant was, Instant is, Duration by) {
        assertTrue(Duration.between(was, is).abs().compareTo(by) <= 0, was + ", then " + is);
    }

    @Test
    void a_migration_that_was_killed_goes_on() throws Exception {
        try (TemporaryFolder folder = OpenStore.folder();
                PostgresServer postgres = OpenStore.postgres(folder)) {
            Path keys = folder.path().resolve("keys");
            String rocks = "rocksdb:" + keys;
            try (KeyStore store = StoreUrls.open(rocks);
                    Semel semel = Semel.on(store).start()) {
                for (int i = 0; i < MANY; i++) granted(semel, "k" + i).doubt("no answer");
            }
            try (SemelProcess killed = SemelProcess.start("migrate", "--from", rocks, "--to", postgres.jdbcUrl());
                    KeyStore target = StoreUrls.open(postgres.jdbcUrl())) {
                Await.until("the first keys are there", () -> countUpTo(target, 50) == 50);
                killed.kill9();
            }
            assertEquals(0, Main.run("migrate", "--from", rocks, "--to", postgres.jdbcUrl()));
            try (KeyStore target = StoreUrls.open(postgres.jdbcUrl())) {
                for (int i = 0; i < MANY; i++)
                    assertEquals(
                            KeyState.Kind.IN_DOUBT,
                            found(target, "k" + i).state().kind(),
                            "k" + i);
            }
        }
    }

    private static long countUpTo(KeyStore store, long most) {
        return Objects.requireNonNull(store.index()).count("tenant", most);
    }

    @Test
    @SuppressWarnings("try") // the last gateway on the old store ends before the migration
    void a_fleet_changes_its_store_gateway_by_gateway() throws Exception {
        try (TemporaryFolder folder = OpenStore.folder();
                PostgresServer postgres = OpenStore.postgres(folder);
                CountingUpstream upstream = CountingUpstream.start();
                MariaDbServer maria = MariaDbServer.start(
                        Files.createDirectories(folder.path().resolve("maria")));
                GatewayProcess late = GatewayProcess.start(postgres.jdbcUrl(), upstream.url())) {
            Answer first = Client.order(late.port(), "by-the-old-store");
            try (GatewayProcess both =
                    GatewayProcess.start(maria.jdbcUrl(), upstream.url(), "--store-before", postgres.jdbcUrl())) {
                Answer replay = Client.order(both.port(), "by-the-old-store");
                assertTrue(replay.isReplay(), replay.summary());
                assertEquals(withoutExpiry(first), withoutExpiry(replay));
                assertEquals(201, Client.order(both.port(), "by-both-stores").status());
                Answer refused = Client.order(late.port(), "by-both-stores");
                assertEquals("503 store-unavailable", refused.summary());
                assertEquals(200, both.readiness().status());
            }
            late.kill9();
            assertEquals(0, Main.run("migrate", "--from", postgres.jdbcUrl(), "--to", maria.jdbcUrl()));
            try (GatewayProcess alone = GatewayProcess.start(maria.jdbcUrl(), upstream.url())) {
                assertTrue(Client.order(alone.port(), "by-the-old-store").isReplay());
                assertTrue(Client.order(alone.port(), "by-both-stores").isReplay());
            }
            assertEquals(2, upstream.effects());
        }
    }

    /** What is left of the retention is carried over from one server's clock to another's, which takes moments: a second may turn. */
    private static String withoutExpiry(Answer answer) {
        return answer.essence().replaceAll("Idempotency-Expires: .*", "");
    }

    @Test
    void what_cannot_be_meant_is_refused() {
        assertEquals(2, Main.run("migrate", "--from", "memory:", "--to", "memory:"));
        assertEquals(2, Main.run("migrate", "--from", "rocksdb:a", "--to", "nonsense:"));
        assertFalse(Main.run(
                        "serve",
                        "--upstream",
                        "http://127.0.0.1:1",
                        "--store",
                        "rocksdb:a",
                        "--store-before",
                        "rocksdb:a")
                == 0);
    }
}
