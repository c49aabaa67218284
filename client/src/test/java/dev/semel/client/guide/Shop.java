package dev.semel.client.guide;

import dev.semel.client.Answer;
import dev.semel.client.Intent;
import dev.semel.client.Resumption;
import dev.semel.client.SemelClient;
import dev.semel.client.ledger.FileLedger;
import dev.semel.client.ledger.JdbcLedger;
import dev.semel.client.ledger.Ledger;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** A shop that pays by a bank's API. What docs/client.md shows is this code. */
public final class Shop {
    private final URI bank;
    private final Supplier<String> token;

    public Shop(URI bank, Supplier<String> token) {
        this.bank = bank;
        this.token = token;
    }

    public SemelClient client(Path file) {
        // guide
        Ledger ledger = FileLedger.open(file);
        SemelClient client = SemelClient.on(ledger)
                .credentials(call -> Map.of("Authorization", "Bearer " + token.get()))
                .build();
        // end
        return client;
    }

    public Answer payFor(String order, SemelClient client) {
        // guide
        return client.send(Intent.of("pay order " + order), charge(order));
        // end
    }

    private HttpRequest charge(String order) {
        // guide
        return HttpRequest.newBuilder(bank.resolve("/v1/charges"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"order\":\"" + order + "\",\"amount\":1999}"))
                .build();
        // end
    }

    public static String tell(Answer answer) {
        // guide
        return switch (answer) {
            case Answer.Definitive it
            when it.response().status() < 300 -> "paid: " + it.response().text();
            case Answer.Definitive it -> "not paid: " + it.response().status();
            case Answer.Refused it -> it.whatToDo();
            case Answer.StillUnknown it -> "We are waiting for the bank.";
        };
        // end
    }

    public static Resumption finishWhatWasPending(SemelClient client) throws InterruptedException {
        // guide
        return client.resume(progress -> System.out.println(progress.done() + " of " + progress.total() + ": "
                + progress.intent() + " " + tell(progress.answer())));
        // end
    }

    public Answer order(String order, DataSource database) throws SQLException {
        // guide
        JdbcLedger ledger = JdbcLedger.open(database);
        SemelClient client = SemelClient.on(ledger).build();
        Intent intent = Intent.of("pay order " + order);
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            insertOrder(connection, order);
            ledger.remember(connection, client.prepare(intent, charge(order)));
            connection.commit();
        }
        return client.sendRemembered(intent);
        // end
    }

    private static void insertOrder(Connection connection, String order) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into orders values (?)")) {
            insert.setString(1, order);
            insert.executeUpdate();
        }
    }

    public static Intent firstInstalment(String customer, String order) {
        // guide
        return Intent.derived(customer, "charge", order, "first instalment");
        // end
    }

    public Answer payAgain(String order, SemelClient client) {
        // guide
        client.rotate(Intent.of("pay order " + order));
        return client.send(Intent.of("pay order " + order), charge(order));
        // end
    }
}
