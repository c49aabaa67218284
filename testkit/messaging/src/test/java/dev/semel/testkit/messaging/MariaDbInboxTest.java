package dev.semel.testkit.messaging;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(MariaDbScene.class)
@Timeout(20)
class MariaDbInboxTest extends InboxTablesContract {
    @Override
    protected DataSource freshDatabase() throws SQLException {
        return MariaDbScene.freshDatabase();
    }

    @Override
    protected void close(DataSource database) {
        PostgresScene.close(database);
    }

    @Override
    protected String table(String name) {
        return "semel_" + name;
    }

    @Override
    protected void ageInbox(Connection connection, Duration by) throws SQLException {
        MariaDbScene.ageInbox(connection, by);
    }

    @Override
    protected String countOfWaiting() {
        return MariaDbScene.COUNT_OF_WAITING;
    }

    @Override
    protected List<String> endings() {
        return List.of("rollback");
    }
}
