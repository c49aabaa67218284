package dev.semel.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.client.Answer.Refusal;
import dev.semel.client.guide.Shop;
import dev.semel.client.ledger.Entry;
import dev.semel.client.ledger.JdbcLedger;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Calls that are written in the caller's own transaction, on a real PostgreSQL; and ledgers that processes share. */
@Timeout(60)
class JoinedCallTest {
    private static final Intent INTENT = Intent.of("pay order 17");

    private final TestDatabase postgres = TestDatabase.start();
    private final PGSimpleDataSource database = postgres.dataSource();
    private final ScriptedServer bank = new ScriptedServer();

    @BeforeEach
    void start() throws Exception {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table orders (id text primary key)");
        }
    }

    @AfterEach
    void stop() {
        bank.close();
        postgres.close();
    }

    private HttpRequest post() {
        return HttpRequest.newBuilder(bank.uri("/v1/charges"))
                .POST(BodyPublishers.ofString("1999"))
                .build();
    }

    @Test
    void an_order_and_its_payment_commit_together_and_after_a_rollback_nothing_is_sent() throws Exception {
        Shop shop = new Shop(bank.uri("/"), () -> "t");
        assertEquals("paid: charge-1", Shop.tell(shop.order("16", database)));

        JdbcLedger ledger = JdbcLedger.on(database);
        try (SemelClient client = SemelClient.on(ledger).build()) {
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                ledger.remember(connection, client.prepare(INTENT, post()));
                assertEquals(new Resumption(0, 0, 0), client.resume(), "not before the commit");
                connection.rollback();
            }
            Answer.Refused answer = assertInstanceOf(Answer.Refused.class, client.sendRemembered(INTENT));
            assertEquals(Refusal.NOT_REMEMBERED, answer.reason());
            assertFalse(answer.mayHaveRun());
            assertEquals(new Resumption(0, 0, 0), client.resume());
            assertEquals(1, bank.seen().size());

            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                ledger.remember(connection, client.prepare(INTENT, post()));
                connection.commit();
            }
            // Here the process may die: the next one finds it.
            assertEquals(new Resumption(1, 0, 0), client.resume());
            assertEquals(2, bank.effects());
        }
    }

    /** One is refused before anything ran; but the other has begun a try with the same key meanwhile. */
    @Test
    void a_key_that_another_process_has_sent_is_not_given_up() throws Exception {
        JdbcLedger.open(database);
        Semaphore refuse = new Semaphore(0);
        bank.then(
                ScriptedServer.waitsFor(refuse, ScriptedServer.answers(401, "")),
                ScriptedServer.LOSES_THE_ANSWER,
                ScriptedServer.answers(401, ""));
        try (SemelClient one = SemelClient.on(JdbcLedger.on(database)).build();
                SemelClient other = SemelClient.on(JdbcLedger.on(database)).build()) {
            CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() -> one.send(INTENT, post()));
            bank.awaitRequest();
            assertTrue(assertInstanceOf(Answer.Refused.class, other.sendRemembered(INTENT))
                    .mayHaveRun());
            refuse.release();
            Answer.Refused refused = assertInstanceOf(Answer.Refused.class, first.join());
            assertTrue(refused.mayHaveRun());
            assertInstanceOf(Entry.Pending.class, one.find(INTENT));
            Answer.Definitive answer = assertInstanceOf(Answer.Definitive.class, one.send(INTENT, post()));
            assertEquals(List.of(answer.key()), bank.keys());
            assertEquals(1, bank.effects());
        }
    }

    /** A conflict, and what a proxy without routes says, are the last word only about a first try. */
    @ParameterizedTest
    @ValueSource(ints = {302, 404, 409})
    void an_answer_to_a_first_try_is_not_the_last_word_when_another_process_has_sent_the_key(int status)
            throws Exception {
        JdbcLedger.open(database);
        Semaphore answer = new Semaphore(0);
        bank.then(
                ScriptedServer.waitsFor(answer, ScriptedServer.answers(status, "")),
                ScriptedServer.LOSES_THE_ANSWER,
                ScriptedServer.answers(401, ""));
        try (SemelClient one = SemelClient.on(JdbcLedger.on(database)).build();
                SemelClient other = SemelClient.on(JdbcLedger.on(database)).build()) {
            CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() -> one.send(INTENT, post()));
            bank.awaitRequest();
            assertInstanceOf(Answer.Refused.class, other.sendRemembered(INTENT));
            answer.release();
            assertEquals(
                    "charge-1",
                    assertInstanceOf(Answer.Definitive.class, first.join())
                            .response()
                            .text());
            assertEquals(1, bank.effects());
            assertEquals(1, bank.keys().size());
        }
    }

    @Test
    void what_another_process_has_settled_is_the_answer_whatever_came_here() throws Exception {
        JdbcLedger.open(database);
        Semaphore answer = new Semaphore(0);
        bank.then(ScriptedServer.waitsFor(answer, ScriptedServer.answers(409, "")));
        try (SemelClient one = SemelClient.on(JdbcLedger.on(database)).build();
                SemelClient other = SemelClient.on(JdbcLedger.on(database)).build()) {
            CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() -> one.send(INTENT, post()));
            bank.awaitRequest();
            assertInstanceOf(Answer.Definitive.class, other.sendRemembered(INTENT));
            answer.release();
            Answer.Definitive same = assertInstanceOf(Answer.Definitive.class, first.join());
            assertEquals("charge-1", same.response().text());
            assertTrue(same.recorded());
        }
    }

    @Test
    void an_answer_that_cannot_be_written_down_is_given_and_asked_for_again_later() throws Exception {
        JdbcLedger ledger = JdbcLedger.open(database);
        Semaphore letGo = new Semaphore(0);
        bank.then(ScriptedServer.waitsFor(letGo, ScriptedServer.CHARGES));
        try (SemelClient client = SemelClient.on(ledger).build()) {
            CompletableFuture<Answer> sending = CompletableFuture.supplyAsync(() -> client.send(INTENT, post()));
            bank.awaitRequest();
            postgres.server().kill9();
            letGo.release();
            Answer.Definitive answer = assertInstanceOf(Answer.Definitive.class, sending.join());
            assertFalse(answer.recorded());
            assertEquals("charge-1", answer.response().text());
            postgres.server().restart();
            assertEquals(new Resumption(1, 0, 0), client.resume());
            assertEquals(1, bank.effects());
        }
    }
}
