package dev.semel.seal;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Next;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class SealCheckTest {
    private static final SealKeys OTHER_K1 = SealKeys.of("k1", Map.of("k1", Some.bytesOf("other")));

    private final KeyStore store = new InMemoryKeyStore();

    @Test
    void the_first_start_leaves_a_canary_for_every_key_and_later_ones_find_it() {
        SealCheck.run(store, Some.keys("k2", "k1"));
        KeyRecord first = Some.found(store, SealCheck.canary("k1"));
        assertInstanceOf(KeyState.Done.class, first.state());
        assertInstanceOf(
                KeyState.Done.class, Some.found(store, SealCheck.canary("k2")).state());
        SealCheck.run(store, Some.keys("k1"));
        SealCheck.run(store, Some.keys("k2"));
        assertEquals(first, Some.found(store, SealCheck.canary("k1")), "a start wrote over the canary");
    }

    @Test
    void other_bytes_under_the_id_of_a_key_are_told_at_the_start() {
        SealCheck.run(store, Some.keys("k1"));
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> SealCheck.run(store, OTHER_K1));
        assertTrue(
                String.valueOf(e.getMessage())
                        .startsWith("The encryption key 'k1' is not the one this store was used with before; "),
                e.getMessage());
        assertFalse(String.valueOf(e.getMessage()).contains("the bytes of"));
        assertDoesNotThrow(() -> SealCheck.run(store, Some.keys("k1")), "the canary is still that of the first key");
    }

    @Test
    void a_key_that_comes_back_later_must_be_the_same() {
        SealCheck.run(store, Some.keys("k1"));
        SealCheck.run(store, Some.keys("k2"));
        SealKeys both = SealKeys.of("k2", Map.of("k1", Some.bytesOf("other"), "k2", Some.bytesOf("k2")));
        assertThrows(IllegalStateException.class, () -> SealCheck.run(store, both));
    }

    @Test
    void a_canary_that_someone_died_over_is_finished_by_the_next() {
        for (String keyId : List.of("held", "doubted", "released")) {
            KeyRecord left = Some.held(store, SealCheck.canary(keyId), Memo.NONE);
            if (keyId.equals("doubted")) Some.become(store, left, new Next.InDoubt("the holder fell silent"));
            if (keyId.equals("released")) Some.become(store, left, new Next.Free(Duration.ofDays(1)));
            SealCheck.run(store, Some.keys(keyId));
            assertInstanceOf(
                    KeyState.Done.class,
                    Some.found(store, SealCheck.canary(keyId)).state());
            SealCheck.run(store, Some.keys(keyId));
        }
    }

    @Test
    void something_else_in_the_place_of_the_canary_is_no_proof() {
        Some.done(store, SealCheck.canary("k1"), Outcome.of(Some.bytes("canary")));
        assertThrows(IllegalStateException.class, () -> SealCheck.run(store, Some.keys("k1")));
    }

    @Test
    void a_canary_is_kept_for_a_lifetime() {
        SealCheck.run(store, Some.keys("k1"));
        KeyState.Done done =
                (KeyState.Done) Some.found(store, SealCheck.canary("k1")).state();
        assertTrue(done.replayUntil().isAfter(Clock.systemUTC().instant().plus(Duration.ofDays(36_000))));
    }

    @Test
    void of_many_that_start_at_once_those_with_one_key_start_and_the_others_do_not() throws Exception {
        for (int round = 0; round < 50; round++) {
            KeyStore shared = new InMemoryKeyStore();
            List<Boolean> same = together(shared, Some.keys("k1"), Some.keys("k1"));
            assertFalse(same.contains(false), "one with the right key was refused");
            KeyStore disputed = new InMemoryKeyStore();
            List<Boolean> split = together(disputed, Some.keys("k1"), OTHER_K1);
            long ofFirst =
                    split.subList(0, 4).stream().filter(started -> started).count();
            long ofSecond =
                    split.subList(4, 8).stream().filter(started -> started).count();
            assertTrue(ofFirst == 4 && ofSecond == 0 || ofFirst == 0 && ofSecond == 4, split::toString);
        }
    }

    private static List<Boolean> together(KeyStore store, SealKeys first, SealKeys second) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        List<Future<Boolean>> starts = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                SealKeys keys = i < 4 ? first : second;
                starts.add(threads.submit((Callable<Boolean>) () -> {
                    go.await();
                    return starts(store, keys);
                }));
            }
            go.countDown();
        }
        List<Boolean> started = new ArrayList<>();
        for (Future<Boolean> start : starts) started.add(start.get());
        return started;
    }

    private static boolean starts(KeyStore store, SealKeys keys) {
        try {
            SealCheck.run(store, keys);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }
}
