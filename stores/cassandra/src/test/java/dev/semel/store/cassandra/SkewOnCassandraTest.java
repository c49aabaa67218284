package dev.semel.store.cassandra;

import dev.semel.core.store.KeyStore;
import dev.semel.testkit.SkewContract;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
class SkewOnCassandraTest extends SkewContract {
    private final String url = SharedServer.freshUrl();

    @Override
    protected KeyStore store(Clock clock, Duration skew) {
        return CassandraKeyStore.open(url, SharedServer.PATIENT.withSkew(skew), clock);
    }
}
