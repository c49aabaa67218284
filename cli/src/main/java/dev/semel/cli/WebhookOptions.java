package dev.semel.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.broker.webhook.delivery.WebhookDeliveries;
import dev.semel.broker.webhook.endpoint.SecretSeal;
import dev.semel.broker.webhook.endpoint.WebhookEndpoints;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where webhooks are kept. */
final class WebhookOptions {
    @Option(
            names = "--store",
            paramLabel = "URL",
            description = "the database of the outbox: jdbc:postgresql://HOST/DB?user=…")
    private @Nullable String store;

    @FunctionalInterface
    interface WithEndpoints {
        int with(WebhookEndpoints endpoints) throws SQLException;
    }

    @FunctionalInterface
    interface WithDeliveries {
        int with(WebhookDeliveries deliveries) throws SQLException;
    }

    private interface Work {
        int with(HikariDataSource database) throws SQLException;
    }

    /** @return the exit code */
    int endpoints(WithEndpoints work) {
        return run(database -> work.with(WebhookEndpoints.in(database, seal())));
    }

    /** The same, but the tables are made where they are missing. */
    int newEndpoint(WithEndpoints work) {
        return run(database -> work.with(WebhookEndpoints.open(database, seal())));
    }

    int deliveries(WithDeliveries work) {
        return run(database -> work.with(WebhookDeliveries.in(database)));
    }

    private int run(Work work) {
        String url = OutboxOptions.urlOf(store != null ? store : Settings.variable("SEMEL_STORE", System::getenv));
        if (!url.startsWith("jdbc:postgresql:"))
            throw new UsageProblem("There are no webhooks at " + ServeCommand.safe(url)
                    + ". They need an outbox in PostgreSQL: jdbc:postgresql://HOST/DB?user=NAME.");
        try (HikariDataSource database = OutboxOptions.open(url)) {
            return work.with(database);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new UsageProblem(String.valueOf(e.getMessage()));
        } catch (SQLException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new UnreachableProblem("The database of the outbox (" + ServeCommand.safe(url) + ") did not answer: "
                    + cause.getMessage());
        }
    }

    /** There is no flag for it: everybody on a machine can read the flags of its processes. */
    static SecretSeal seal() {
        return SecretSeal.of(Settings.variable("SEMEL_WEBHOOK_KEY", System::getenv));
    }

    /** Says what was done, or that there is no such endpoint. @return the exit code */
    static int said(boolean done, String what, UUID endpoint) {
        if (done) System.out.println(what);
        else System.err.println("semel: There is no endpoint " + endpoint + " for which that could be done.");
        return done ? 0 : 1;
    }
}
