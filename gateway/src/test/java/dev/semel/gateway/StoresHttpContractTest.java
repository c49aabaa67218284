package dev.semel.gateway;

import dev.semel.core.store.KeyStore;
import dev.semel.store.cassandra.CassandraKeyStore;
import dev.semel.store.cassandra.CassandraOptions;
import dev.semel.store.dynamodb.DynamoDbKeyStore;
import dev.semel.store.dynamodb.DynamoDbOptions;
import dev.semel.store.jdbc.JdbcOptions;
import dev.semel.store.jdbc.MariaDbKeyStore;
import dev.semel.store.redis.RedisKeyStore;
import dev.semel.testkit.http.SetUp;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The contract of the wire, kept by the gateway on every store that a fleet may share, each on a real server: the scenarios in
 * which the store has a part. Those that end before it, that are about upstreams, or in which the store is taken away are told
 * on the embedded stores; what servers do is in {@link StoreOutagesTest}.
 */
@ExtendWith(StoreServers.class)
class StoresHttpContractTest {

    abstract static class OnAServer extends GatewayHttpContractTest.OnAnyStore {
        @Override
        @TestFactory
        public Stream<DynamicTest> storeOutages() {
            return Stream.empty();
        }

        @Override
        @TestFactory
        public Stream<DynamicTest> badUpstreams() {
            return Stream.empty();
        }

        @Override
        @TestFactory
        public Stream<DynamicTest> probes() {
            return Stream.empty();
        }

        @Override
        @TestFactory
        public Stream<DynamicTest> malformedHttp() {
            return Stream.empty();
        }

        @Override
        @TestFactory
        public Stream<DynamicTest> evasions() {
            return Stream.empty();
        }

        @Override
        @TestFactory
        public Stream<DynamicTest> plainTraffic() {
            return Stream.empty();
        }

        @Override
        @TestFactory
        public Stream<DynamicTest> discovery() {
            return Stream.empty();
        }
    }

    /** A store that cannot count keys is given no quota of kept keys: a gateway with one does not start on it. */
    abstract static class OnAServerThatDoesNotCount extends OnAServer {
        @Override
        String settings(SetUp setUp) {
            return setUp.settings().replace("keys: 3, ", "");
        }

        @Override
        @TestFactory
        public Stream<DynamicTest> quotas() {
            return super.quotas()
                    .filter(it -> it.getDisplayName().contains("under way")
                            || it.getDisplayName().contains("more duplicates"));
        }
    }

    private static Stream<DynamicTest> without(String part, Stream<DynamicTest> scenarios) {
        return scenarios.filter(it -> !it.getDisplayName().contains(part));
    }

    @Nested
    class OnMariaDb extends OnAServer {
        private String url;

        /** Where records are made older, so is the time that a header tells. */
        @Override
        @TestFactory
        public Stream<DynamicTest> spentKeys() {
            return without("an outcome is replayed for 24 hours", super.spentKeys());
        }

        @Override
        KeyStore openStore() throws SQLException {
            url = StoreServers.freshMariaDb();
            return MariaDbKeyStore.open(
                    url,
                    JdbcOptions.DEFAULT
                            .withConnectionTimeout(Duration.ofSeconds(20))
                            .withSocketTimeout(Duration.ofSeconds(30))
                            .withStatementTimeout(Duration.ofSeconds(20)));
        }

        /** The clock of the server cannot be moved, so every record is made older. */
        @Override
        protected void pass(Duration time) {
            String age = Long.toString(time.toNanos() / 1000);
            try {
                StoreServers.say(url, """
                    update semel_key set since = since - $age, lease_until = lease_until - $age,
                        replay_until = replay_until - $age, forget_at = forget_at - $age,
                        doubt_since = doubt_since - $age, probe_at = probe_at - $age
                    """.replace("$age", age));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /**
     * And that keeps less than 8 MiB of an outcome. A write takes so long there, on a busy machine, that a hundred duplicates which
     * try one after the other are not all done before the wait of the last ones is over: these are told 409, as they should be.
     */
    abstract static class OnAServerForSmallerOutcomes extends OnAServerThatDoesNotCount {
        @Override
        @TestFactory
        public Stream<DynamicTest> doubt() {
            return without("100 duplicates find the upstream down", super.doubt());
        }

        @Override
        @TestFactory
        public Stream<DynamicTest> replays() {
            return without("8 MiB", super.replays());
        }

        @Override
        @TestFactory
        public Stream<DynamicTest> encryption() {
            return without("8 MiB", super.encryption());
        }
    }

    @Nested
    class OnRedis extends OnAServerThatDoesNotCount {
        /** Where records are made older, so is the time that a header tells. */
        @Override
        @TestFactory
        public Stream<DynamicTest> spentKeys() {
            return without("an outcome is replayed for 24 hours", super.spentKeys());
        }

        @Override
        KeyStore openStore() {
            return RedisKeyStore.open(StoreServers.redis().url());
        }

        @Override
        protected void pass(Duration time) {
            StoreServers.redis().age(time);
        }
    }

    @Nested
    class OnDynamoDb extends OnAServerForSmallerOutcomes {
        @Override
        KeyStore openStore() {
            return DynamoDbKeyStore.open(
                    StoreServers.freshTable(),
                    DynamoDbOptions.DEFAULT
                            .withSkew(Duration.ZERO)
                            .withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(30)),
                    clock);
        }
    }

    @Nested
    class OnCassandra extends OnAServerForSmallerOutcomes {
        @Override
        KeyStore openStore() {
            return CassandraKeyStore.open(
                    StoreServers.freshKeyspace(), CassandraOptions.DEFAULT.withSkew(Duration.ZERO), clock);
        }
    }
}
