package dev.semel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Codec;
import dev.semel.core.DurableOperation;
import dev.semel.core.Operation;
import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.Memo;
import dev.semel.core.store.KeyStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a holder notes with its key, and the steps that are built on it. */
public abstract class StepContract {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final ClaimPolicy AGAIN = ClaimPolicy.DEFAULT
            .withGuarantee(Guarantee.AT_LEAST_ONCE)
            .withWaitFor(Duration.ZERO)
            .withLease(LEASE);

    private final String operation = "ship " + UUID.randomUUID();
    private final KeyId id = KeyId.of("", operation, "o-1");
    private final List<Semel> started = new ArrayList<>();

    /** The store under test. */
    protected abstract KeyStore store();

    /** Lets so much time pass on the store's own clock, for every record in it. */
    protected abstract void pass(Duration time);

    private Semel semel() {
        Semel semel = Semel.on(store()).sweepEvery(Duration.ZERO).start();
        started.add(semel);
        return semel;
    }

    @AfterEach
    void stop() {
        started.forEach(Semel::close);
    }

    private static Memo memo(String text) {
        return Memo.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private Claim claim(Semel semel) {
        Fingerprint asked = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1});
        return semel.claim(new ClaimRequest(id, asked, AGAIN).withMemo(memo("at first")));
    }

    private Lease granted(Semel semel) {
        return assertInstanceOf(Claim.Granted.class, claim(semel)).lease();
    }

    @Test
    void whoever_takes_a_key_up_finds_what_the_last_holder_noted() {
        Lease dead = granted(semel());
        assertEquals(memo("at first"), dead.memo());
        assertInstanceOf(Settlement.Accepted.class, dead.note(memo("charged")));
        pass(LEASE.plusSeconds(1));
        Lease next = granted(semel());
        assertEquals(memo("charged"), next.memo());
        assertTrue(next.token() > dead.token());
        assertInstanceOf(Settlement.Superseded.class, dead.note(memo("shipped too late")));
        assertTrue(dead.isLost());
        assertEquals(memo("charged"), granted(released(next)).memo());
    }

    /** Another engine, after this holder has let its key go. */
    private Semel released(Lease lease) {
        assertInstanceOf(Settlement.Accepted.class, lease.release());
        return semel();
    }

    @Test
    void what_was_noted_outlives_a_doubt_that_frees_the_key() {
        Lease first = granted(semel());
        first.note(memo("charged"));
        first.doubt("no answer");
        assertEquals(memo("charged"), granted(semel()).memo());
    }

    @Test
    void a_note_renews_the_lease() {
        Lease slow = granted(semel());
        pass(LEASE.dividedBy(2));
        slow.note(memo("charged"));
        pass(LEASE.dividedBy(2).plusSeconds(1));
        assertInstanceOf(Claim.InProgress.class, claim(semel()));
    }

    @Test
    void a_note_of_the_largest_size_is_kept() {
        Lease lease = granted(semel());
        Memo largest = Memo.of(new byte[Memo.MOST_BYTES]);
        assertInstanceOf(Settlement.Accepted.class, lease.note(largest));
        assertEquals(largest, granted(released(lease)).memo());
    }

    @Test
    void steps_go_on_in_another_process_where_the_first_was_cut_off() {
        List<String> ran = new ArrayList<>();
        for (int run = 1; run <= 2; run++) {
            boolean cutOff = run == 1;
            Operation<String> ship = semel().operation(operation, Codec.text()).withGuarantee(Guarantee.AT_LEAST_ONCE);
            if (cutOff) assertThrows(IllegalStateException.class, () -> ship(ship, ran, true));
            else assertEquals("charged, shipped", ship(ship, ran, false));
        }
        assertEquals(List.of("charge", "ship", "ship"), ran);
    }

    private static String ship(Operation<String> ship, List<String> ran, boolean cutOff) {
        return ship.once("o-1", "two books", attempt -> {
            String charged = attempt.step("charge", String.class, step -> {
                ran.add(step.name());
                return "charged";
            });
            return charged
                    + attempt.step("ship", String.class, step -> {
                        ran.add(step.name());
                        if (cutOff) throw new IllegalStateException("the line went dead");
                        return ", shipped";
                    });
        });
    }

    @Test
    void the_background_brings_to_an_end_what_a_dead_process_left() throws Exception {
        BlockingQueue<String> ended = new LinkedBlockingQueue<>();
        DurableOperation.Body<String, String> body = (request, attempt) -> {
            if (attempt.number() == 1) throw new IllegalStateException("the line went dead");
            ended.add(request);
            return request;
        };
        assertThrows(
                IllegalStateException.class,
                () -> semel().operation(operation, Codec.text())
                        .durable(Codec.text(), body)
                        .once("o-1", "two books"));
        Semel other = semel();
        DurableOperation<String, String> durable =
                other.operation(operation, Codec.text()).durable(Codec.text(), body);
        other.lookInto(Set.of(id));
        assertEquals("two books", ended.poll(30, TimeUnit.SECONDS));
        assertEquals("two books", durable.once("o-1", "two books"));
    }
}
