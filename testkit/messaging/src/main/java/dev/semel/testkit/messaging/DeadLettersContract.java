package dev.semel.testkit.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.messaging.DeadLetters;
import dev.semel.messaging.Relay;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.letter.DeadLetter;
import dev.semel.messaging.letter.LetterFilter;
import dev.semel.messaging.letter.Redrive;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.messaging.relay.RelaySettings;
import dev.semel.messaging.tables.LetterTables;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The laws of dead letters in a database, with a relay that sends those again that are to be. */
public abstract class DeadLettersContract extends OutboxScene {
    private static final Redrive.Pace PACE = new Redrive.Pace(1000, 0);

    private DeadLetters letters;
    private Relay relay;

    @BeforeEach
    final void startRelay() {
        letters = DeadLetters.of(outbox());
        relay = Relay.from(outbox())
                .to(broker)
                .with(RelaySettings.DEFAULT
                        .withLease(Duration.ofSeconds(5))
                        .withPolls(Duration.ofMillis(2), Duration.ofMillis(20)))
                .start();
    }

    @AfterEach
    final void stopRelay() {
        relay.close();
    }

    @Test
    void letters_are_listed_by_what_went_wrong_and_shown_whole() throws Exception {
        refuse("too-large", "a", "b");
        refuse("unknown-topic", "c");
        append("a", 1, 2);
        append("b", 3);
        append("c", 4);
        await(() -> outbox().status().deadLetters() == 4);
        assertEquals(4, letters.list(LetterFilter.ALL, 0, 10).size());
        assertEquals(
                2, letters.list(LetterFilter.ALL.withKind("too-large"), 0, 10).size());
        assertEquals(
                1,
                letters.list(LetterFilter.ALL.withKey("c").withError("NOT TAKEN"), 0, 10)
                        .size());
        assertEquals(
                0, letters.list(LetterFilter.ALL.withTopic("others"), 0, 10).size());
        DeadLetter first = letters.list(LetterFilter.ALL, 0, 1).getFirst();
        List<DeadLetter> rest = letters.list(LetterFilter.ALL, first.position(), 10);
        assertEquals(3, rest.size());
        assertEquals(0, first.message().payload().length);
        DeadLetter whole = letters.find(first.message().id());
        assertNotNull(whole);
        assertArrayEquals("1".getBytes(UTF_8), whole.message().payload());
        assertEquals(1, whole.attempts());
    }

    @Test
    void a_redrive_sends_what_matches_with_its_tail_in_order_and_with_the_same_ids() throws Exception {
        refuse("too-large", "a");
        refuse("unknown-topic", "c");
        List<UUID> ids = append("a", 1, 2, 3);
        append("c", 4);
        await(() -> outbox().status().deadLetters() == 4);
        assertEquals(new LetterTables.Count(3, 1), letters.dryRun(LetterFilter.ALL.withKind("too-large")));
        assertEquals(4, outbox().status().deadLetters());
        broker.refuse(message -> null);
        long redrive = letters.redrive(LetterFilter.ALL.withKind("too-large"), PACE, "ada", "the limit was raised");
        await(() -> state(redrive) == Redrive.State.DONE);
        assertEquals(ids, broker.taken().stream().map(OutgoingMessage::id).toList());
        assertEquals(1, outbox().status().deadLetters());
        assertEquals(1, outbox().status().parkedKeys());
    }

    @Test
    void what_is_refused_again_stays_with_all_behind_it() throws Exception {
        refuse("too-large", "a");
        append("a", 1, 2);
        await(() -> outbox().status().deadLetters() == 2);
        long redrive = letters.redrive(LetterFilter.ALL, PACE, "ada", "a try");
        await(() -> state(redrive) == Redrive.State.DONE);
        assertEquals(2, outbox().status().deadLetters());
        assertEquals(List.of(), broker.taken());
        assertEquals(2, letters.list(LetterFilter.ALL, 0, 1).getFirst().attempts());
        assertFalse(letters.list(LetterFilter.ALL, 0, 1).getFirst().due());
    }

    @Test
    void a_canary_that_is_refused_pauses_the_redrive() throws Exception {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 20; i++) keys.add("k" + i);
        refuse("too-large", keys.toArray(String[]::new));
        for (String key : keys) append(key, 1);
        await(() -> outbox().status().deadLetters() == 20);
        long redrive = letters.redrive(LetterFilter.ALL, new Redrive.Pace(1000, 2), "ada", "carefully");
        await(() -> state(redrive) == Redrive.State.PAUSED);
        assertEquals(2, letters.redrives(1).getFirst().chosen());
        assertNotNull(letters.redrives(1).getFirst().note());

        broker.refuse(message -> null);
        long again = letters.redrive(LetterFilter.ALL, new Redrive.Pace(1000, 2), "ada", "mended");
        await(() -> state(again) == Redrive.State.DONE);
        assertEquals(20, broker.taken().size());
        assertTrue(letters.cancel(redrive, "ada", "not needed any more"));
        assertFalse(letters.resume(redrive, "ada", "too late"));
    }

    @Test
    void a_redrive_can_be_paused_and_goes_on() throws Exception {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 10; i++) keys.add("k" + i);
        refuse("too-large", keys.toArray(String[]::new));
        for (String key : keys) append(key, 1);
        await(() -> outbox().status().deadLetters() == 10);
        broker.refuse(message -> null);
        long redrive = letters.redrive(LetterFilter.ALL, new Redrive.Pace(2, 0), "ada", "slowly");
        await(() -> !broker.taken().isEmpty());
        assertTrue(letters.pause(redrive, "ada", "lunch"));
        assertFalse(letters.pause(redrive, "ada", "lunch"));
        assertTrue(letters.cancel(redrive, "ada", "enough"));
        assertTrue(broker.taken().size() < 10);
        assertEquals("3", one("select count(*) from " + table("dead_letter_audit") + " where redrive = " + redrive));
    }

    @Test
    void a_dropped_letter_is_never_sent_and_what_was_behind_it_can_be() throws Exception {
        broker.refuse(message -> body(message) == 1 ? new Delivery.Dead("too-large", "not taken") : null);
        List<UUID> ids = append("a", 1, 2);
        await(() -> outbox().status().deadLetters() == 2);
        assertTrue(letters.drop(ids.getFirst(), "ada", "it was a test"));
        assertFalse(letters.drop(ids.getFirst(), "ada", "twice"));
        long redrive = letters.redrive(LetterFilter.ALL, PACE, "ada", "the rest");
        await(() -> state(redrive) == Redrive.State.DONE);
        assertEquals(
                List.of(ids.get(1)),
                broker.taken().stream().map(OutgoingMessage::id).toList());
        append("a", 3);
        await(() -> broker.taken().size() == 2);
        assertEquals(
                "ada|it was a test",
                one("select concat(by_whom, '|', reason) from " + table("dead_letter_audit")
                        + " where action = 'drop'"));
        assertThrows(IllegalArgumentException.class, () -> letters.drop(ids.getFirst(), " ", "no name"));
    }

    @Test
    void letters_without_a_key_go_one_by_one_and_filters_compare_by_bytes() throws Exception {
        broker.refuse(message -> new Delivery.Dead("too-large", "Größer als ERLAUBT: 100%"));
        append(message("a", 1), message("A", 2), Message.of("orders", "t", "3".getBytes(UTF_8)));
        append(Message.of("orders", "t", "4".getBytes(UTF_8)));
        await(() -> outbox().status().deadLetters() == 4);
        assertEquals(1, letters.list(LetterFilter.ALL.withKey("a"), 0, 10).size());
        assertEquals(
                4,
                letters.list(LetterFilter.ALL.withError("erlaubt: 100%"), 0, 10).size());
        assertEquals(new LetterTables.Count(4, 4), letters.dryRun(LetterFilter.ALL));
        assertEquals(new LetterTables.Count(2, 2), letters.dryRun(LetterFilter.ALL.withType("t")));
        broker.refuse(message -> null);
        long redrive = letters.redrive(LetterFilter.ALL.withType("t"), PACE, "ada", "those without a key");
        await(() -> state(redrive) == Redrive.State.DONE);
        assertEquals(
                List.of(3, 4),
                broker.taken().stream().map(OutboxScene::body).sorted().toList());
        assertEquals(2, outbox().status().deadLetters());
    }

    private void refuse(String kind, String... keys) {
        var before = List.of(keys);
        var former = refusals;
        refusals = message ->
                before.contains(message.key()) ? new Delivery.Dead(kind, "it was not taken") : former.apply(message);
        broker.refuse(refusals);
    }

    private java.util.function.Function<OutgoingMessage, Delivery> refusals = message -> null;

    private Redrive.State state(long redrive) throws SQLException {
        return letters.redrives(10).stream()
                .filter(it -> it.id() == redrive)
                .findFirst()
                .orElseThrow()
                .state();
    }
}
