package dev.semel.store.dynamodb;

import dev.semel.core.store.KeyStore;
import dev.semel.testkit.SkewContract;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
class SkewContractOnDynamoDbTest extends SkewContract {
    private final URI server = SharedServer.get().endpoint();
    private final String table = Tables.withoutTtl(server);
    private final List<KeyStore> opened = new ArrayList<>();

    @Override
    protected KeyStore store(Clock clock, Duration skew) {
        opened.add(DynamoDbKeyStore.open(Tables.url(server, table), Tables.PATIENT.withSkew(skew), clock));
        return opened.getLast();
    }

    @AfterEach
    void closeStores() {
        opened.forEach(KeyStore::close);
    }
}
