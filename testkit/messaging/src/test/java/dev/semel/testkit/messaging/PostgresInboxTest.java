package dev.semel.testkit.messaging;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresScene.class)
@Timeout(20)
class PostgresInboxTest extends InboxTablesContract {
    @Override
    protected DataSource freshDatabase() throws SQLException {
        return PostgresScene.freshDatabase();
    }

    @Override
    protected void close(DataSource database) {
        PostgresScene.close(database);
    }

    @Override
    protected String table(String name) {
        return "semel." + name;
    }

    @Override
    protected void ageInbox(Connection connection, Duration by) throws SQLException {
        PostgresScene.ageInbox(connection, by);
    }

    @Override
    protected String countOfWaiting() {
        return PostgresScene.COUNT_OF_WAITING;
    }

    @Override
    protected List<String> endings() {
        return List.of("select 1/0", "rollback; begin");
    }
}
