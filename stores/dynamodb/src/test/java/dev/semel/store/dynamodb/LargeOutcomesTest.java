package dev.semel.store.dynamodb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.Listing;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An item has 400 KB, an answer 16 MB, a page 1 MB. */
@ExtendWith(SharedServer.class)
class LargeOutcomesTest {
    private static final int LARGEST = (int) DynamoDbKeyStore.LARGEST_OUTCOME;
    private static final Memo LARGEST_MEMO = Memo.ofStored(filled(1 + Memo.MOST_BYTES + Memo.SEAL_ROOM));

    private Wire wire;
    private DynamoDbKeyStore store;

    @BeforeEach
    void open() throws IOException {
        wire = Wire.to(SharedServer.get().endpoint());
        String table = Tables.withoutTtl(SharedServer.get().endpoint());
        store = DynamoDbKeyStore.open(Tables.url(wire.endpoint(), table), Tables.PATIENT);
        wire.sent();
    }

    @AfterEach
    void close() {
        store.close();
        wire.close();
    }

    private static byte[] filled(int bytes) {
        byte[] filled = new byte[bytes];
        new Random(bytes).nextBytes(filled);
        return filled;
    }

    /** Of characters that take three bytes each. */
    private static KeyId widestId() {
        String widest = "鍵".repeat(341) + "k";
        return KeyId.of(widest, widest, widest);
    }

    private static Change widest(KeyRecord seen, Next next) {
        Change change =
                new Change(seen.fingerprint(), seen.token(), seen.attempt(), true, LARGEST_MEMO, History.NONE, next);
        for (int i = 0; i < 50; i++) change = change.remarked(seen.since(), "鍵".repeat(100), "鍵".repeat(1000));
        return change;
    }

    @Test
    void the_largest_outcome_fits_beside_the_largest_of_everything_else() {
        KeyRecord held = assertInstanceOf(Inserted.Fresh.class, store.insert(Keys.claim(widestId(), LARGEST_MEMO)))
                .record();
        Outcome outcome = Outcome.ofStored(filled(LARGEST));
        Replaced answer = store.replace(held, widest(held, new Next.Done(outcome, Keys.HOUR, Keys.HOUR)));
        KeyRecord done = assertInstanceOf(Replaced.Swapped.class, answer).record();
        assertEquals(done, store.find(done.id()).record());
    }

    @Test
    void a_doubt_fits_whatever_its_reason_quotes() {
        KeyRecord held = assertInstanceOf(Inserted.Fresh.class, store.insert(Keys.claim(widestId(), LARGEST_MEMO)))
                .record();
        Replaced answer = store.replace(held, widest(held, new Next.InDoubt("鍵".repeat(1 << 20))));
        KeyRecord doubt = assertInstanceOf(Replaced.Swapped.class, answer).record();
        assertEquals(doubt, store.find(doubt.id()).record());
    }

    @Test
    void a_larger_one_is_refused_before_it_is_sent() {
        KeyRecord held = Keys.insert(store, Keys.id("k"));
        wire.sent();
        StoreException refused =
                assertThrows(StoreException.class, () -> Keys.replace(store, held, Keys.done(filled(LARGEST))));
        assertEquals(StoreException.Applied.NO, refused.applied());
        assertEquals(List.of(), wire.sent());
        assertEquals(held, store.find(held.id()).record());
    }

    @Test
    void an_operation_whose_outcome_is_too_large_is_recorded_without_it_and_never_runs_again() {
        ClaimRequest request =
                new ClaimRequest(Keys.id("k"), Keys.FINGERPRINT, ClaimPolicy.DEFAULT.withWaitFor(Duration.ZERO));
        for (int over : new int[] {0, 1, 4 << 20}) {
            ClaimRequest each = new ClaimRequest(Keys.id("k" + over), request.fingerprint(), request.policy());
            try (Semel semel = Semel.on(store).sweepEvery(Duration.ZERO).start()) {
                byte[] body = filled(LARGEST - 1 + over);
                assertInstanceOf(Claim.Granted.class, semel.claim(each)).lease().complete(Outcome.of(body));
                Outcome replayed = assertInstanceOf(Claim.AlreadyDone.class, semel.claim(each))
                        .outcome();
                assertEquals(over > 0, replayed.isShredded());
                if (over == 0) assertArrayEquals(body, replayed.payload());
            }
        }
    }

    @Test
    void more_than_one_answer_holds_is_found_in_several() {
        List<KeyId> ids = new ArrayList<>();
        Set<KeyRecord> written = new HashSet<>();
        for (int i = 0; i < 55; i++) {
            ids.add(Keys.id("large " + i));
            written.add(Keys.replace(store, Keys.insert(store, ids.getLast()), Keys.done(filled(LARGEST - 1))));
        }
        wire.sent();
        Set<KeyRecord> found = new HashSet<>();
        for (Seen seen : store.findAll(ids)) found.add(seen.record());
        assertEquals(written, found);
        assertTrue(wire.sent().size() > 1, "one answer held more than DynamoDB gives");
        pages(written);
    }

    private void pages(Set<KeyRecord> written) {
        Set<KeyId> listed = new HashSet<>();
        String after = null;
        int pages = 0;
        do {
            Listing.Page page = store.list(new Listing("tenant", EnumSet.of(KeyState.Kind.DONE), 20, after));
            for (Listing.Line line : page.lines()) assertTrue(listed.add(line.id()), "listed twice");
            after = page.next();
            pages++;
        } while (after != null);
        assertEquals(written.size(), listed.size());
        assertTrue(pages <= 5, pages + " pages");
    }
}
