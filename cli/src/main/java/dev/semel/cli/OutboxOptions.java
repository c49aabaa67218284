package dev.semel.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.gateway.Webhooks;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.tables.PostgresSchema;
import dev.semel.relay.OutboxPool;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where an outbox is. */
final class OutboxOptions {
    private static final int CONNECTIONS = 4;
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

    @Option(
            names = "--store",
            paramLabel = "URL",
            description = "the database of the outbox: jdbc:postgresql://HOST/DB?user=…, jdbc:mariadb://HOST/DB?user=…")
    private @Nullable String store;

    @Option(names = "--webhooks", description = "those of the webhooks that a gateway has received there")
    private boolean webhooks;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    boolean json() {
        return json;
    }

    /** What is done with an outbox. */
    interface Work {
        int with(Outbox outbox) throws SQLException;
    }

    /** @return the exit code */
    int run(Work work) {
        String url = url();
        try (HikariDataSource database = open(url)) {
            return work.with(Outbox.existing(database, webhooks ? Webhooks.SCHEMA : PostgresSchema.USUAL));
        } catch (IllegalStateException e) {
            throw new UsageProblem(String.valueOf(e.getMessage()));
        } catch (SQLException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new UnreachableProblem("The database of the outbox (" + ServeCommand.safe(url) + ") did not answer: "
                    + cause.getMessage());
        }
    }

    String url() {
        return urlOf(store != null ? store : Settings.variable("SEMEL_STORE", System::getenv));
    }

    static String urlOf(@Nullable String url) {
        if (url == null)
            throw new UsageProblem(
                    "Say where the outbox is: --store jdbc:postgresql://HOST/DB?user=NAME, or SEMEL_STORE.");
        if (!OutboxPool.knows(url))
            throw new UsageProblem("There is no outbox at " + ServeCommand.safe(url)
                    + ". It is in a database: jdbc:postgresql://HOST/DB?user=NAME, or jdbc:mariadb:, jdbc:mysql:.");
        return url;
    }

    static HikariDataSource open(String url) {
        return OutboxPool.open(url, "semel-outbox", CONNECTIONS, LONGEST_ANSWER);
    }
}
