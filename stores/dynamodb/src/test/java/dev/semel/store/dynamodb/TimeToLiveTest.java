package dev.semel.store.dynamodb;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.Next;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The server deletes what is forgotten, by its own clock. */
@ExtendWith(SharedServer.class)
class TimeToLiveTest {
    /** A process whose clock is an hour late: what it forgets in a moment may be deleted in a moment by the server's clock. */
    private final Clock late = Clock.offset(Clock.systemUTC(), Duration.ofHours(-1));

    @Test
    void what_is_forgotten_goes_by_itself_and_what_is_open_stays_and_tokens_grow_across_it() {
        String url = Tables.url(SharedServer.get().endpoint(), Tables.freshName());
        try (DynamoDbKeyStore store =
                DynamoDbKeyStore.open(url, Tables.PATIENT.withCreateTable(true).withSweepUnits(0), late)) {
            KeyRecord doubt = Keys.replace(store, Keys.insert(store, Keys.id("doubt")), new Next.InDoubt("?"));
            KeyRecord held = Keys.insert(store, Keys.id("held"));
            KeyRecord free =
                    Keys.replace(store, Keys.insert(store, Keys.id("free")), new Next.Free(Duration.ofSeconds(3)));
            awaitGone(store, free);
            assertNotNull(store.find(doubt.id()));
            assertNotNull(store.find(held.id()));
            Inserted again = store.insert(Keys.claim(free.id()));
            long token = assertInstanceOf(Inserted.Fresh.class, again).record().token();
            assertTrue(token > free.token(), token + " after " + free.token());
        }
    }

    /** DynamoDB Local looks about every ten seconds; there is no event to wait for. */
    private static void awaitGone(DynamoDbKeyStore store, KeyRecord record) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (store.find(record.id()) != null) {
            assertTrue(System.nanoTime() - deadline < 0, "the server has not deleted it");
            LockSupport.parkNanos(100_000_000);
        }
    }
}
