package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.semel.core.Codec;
import dev.semel.core.Operation;
import dev.semel.core.Semel;
import dev.semel.core.store.KeyStore;
import dev.semel.testkit.IndexedKeyStoreContract;
import dev.semel.testkit.postgres.PgBouncer;
import dev.semel.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A real PgBouncer in transaction mode between the store and its server, with fewer connections than there are callers. */
@ExtendWith(SharedServers.class)
class BehindPgBouncerTest {
    private static final int CONNECTIONS = 3;

    private static Folder folder;
    private static PgBouncer bouncer;
    private static ContractDatabase contract;
    private static String direct;
    private static String url;

    @BeforeAll
    static void open() throws SQLException {
        PostgresServer server = SharedServers.of(PostgresVersion.values()[PostgresVersion.values().length - 1]);
        folder = Folder.inTarget();
        bouncer = PgBouncer.start(folder.path(), server, CONNECTIONS);
        String ofStore = Sql.freshDatabase(server);
        contract = new ContractDatabase(
                ofStore, PostgresKeyStore.open(bouncer.jdbcUrl(name(ofStore)), ContractDatabase.LONG_TIMEOUTS));
        direct = Sql.freshDatabase(server);
        url = bouncer.jdbcUrl(name(direct));
    }

    private static String name(String url) {
        return url.substring(url.lastIndexOf('/') + 1, url.indexOf('?'));
    }

    @AfterAll
    static void close() {
        contract.close();
        bouncer.close();
        folder.close();
    }

    @Nested
    class OfTheStore extends IndexedKeyStoreContract {
        @Override
        protected KeyStore store() {
            return contract.store();
        }

        @Override
        protected void pass(Duration time) {
            contract.pass(time);
        }
    }

    @Test
    void joined_and_leased_duplicates_of_more_callers_than_connections_take_effect_once() throws Exception {
        Sql sql = Sql.on(direct);
        sql.execute("create table sale (key text not null)");
        try (Semel semel = Semel.on(PostgresKeyStore.open(url, ContractDatabase.LONG_TIMEOUTS))
                        .start();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Operation<String> charge = semel.operation("charge", Codec.text()).withWaitFor(Duration.ofSeconds(20));
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                String key = "k" + i % 20;
                boolean joins = i % 20 < 15;
                answers.add(threads.submit(() -> joins ? joined(charge, key) : leased(charge, key)));
            }
            for (int i = 0; i < answers.size(); i++)
                assertEquals("receipt of k" + i % 20, answers.get(i).get());
        }
        assertEquals("20|20", sql.one("select count(*) || '|' || count(distinct key) from sale"));
        assertEquals("20", sql.one("select count(*) from semel_key where state = 2"));
    }

    private static String joined(Operation<String> charge, String key) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            String receipt = charge.joining(connection).once(key, "10 EUR", attempt -> sell(connection, key));
            connection.commit();
            return receipt;
        }
    }

    private static String leased(Operation<String> charge, String key) throws Exception {
        return charge.once(key, "10 EUR", attempt -> {
            try (Connection connection = DriverManager.getConnection(url)) {
                return sell(connection, key);
            }
        });
    }

    private static String sell(Connection connection, String key) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("insert into sale values ('" + key + "')");
            return "receipt of " + key;
        }
    }
}
