package dev.semel.bench.loop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class MessageLoopTest {
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final MessageTimes times = new MessageTimes(100);
    private final ExecutorService broker = Executors.newSingleThreadExecutor();
    private final AtomicLong appended = new AtomicLong();

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void a_flood_waits_for_whoever_sends_and_leaves_nothing_behind() throws Exception {
        LoopResult result = new MessageLoop(this::appendAndSend, times).flood(3, 10, MOMENT);
        assertEquals(0, result.errors(), result.firstError());
        assertTrue(result.operations() > 0 && result.operations() <= appended.get(), result.toString());
        assertEquals(appended.get(), times.acknowledgedCount());
    }

    @Test
    void at_a_fixed_rate_so_many_are_appended_and_all_count() throws Exception {
        LoopResult result = new MessageLoop(this::appendAndSend, times).pace(2, 10, MOMENT, 1_000);
        assertEquals(0, result.errors(), result.firstError());
        assertEquals(appended.get(), result.operations());
        assertTrue(appended.get() <= 100, appended + " messages in a tenth of a second");
    }

    @Test
    void what_fails_and_what_is_sent_twice_are_errors() throws Exception {
        MeasuredOutbox wrong = (first, messages) -> {
            if (first % 20 == 0) throw new IllegalStateException("no room");
            for (int time = 0; time < 2; time++)
                for (long number = first; number < first + messages; number++) times.acknowledged(number);
        };
        LoopResult result = new MessageLoop(wrong, times).pace(1, 10, MOMENT, 1_000);
        long transactions = result.operations() / 10;
        assertTrue(transactions > 0, result.toString());
        assertTrue(result.errors() >= transactions * 10 + 1, result.toString());
        assertTrue(result.firstError().contains("no room"), result.firstError());
    }

    @Test
    void the_number_of_a_message_stands_in_its_payload() {
        String payload = Orders.payload(1_234_567);
        assertEquals(Orders.BYTES, payload.getBytes(UTF_8).length);
        assertEquals(1_234_567, Orders.number(payload));
        assertEquals(1_234_567, Orders.number(payload.getBytes(UTF_8)));
    }

    private void appendAndSend(long first, int messages) {
        appended.addAndGet(messages);
        for (long number = first; number < first + messages; number++) {
            long each = number;
            broker.execute(() -> times.acknowledged(each));
        }
    }
}
