package dev.semel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.testkit.mariadb.MariaDbServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The keys are in the MariaDB of the application, and its transactions are joined. */
class MariaDbJoinedTest {
    private static MariaDbServer server;
    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        server = MariaDbServer.start(
                Path.of("target", "mariadb-" + ProcessHandle.current().pid()), "--innodb-flush-log-at-trx-commit=0");
        application = Applications.onDatabase(
                server.jdbcUrl() + "&allowMultiQueries=true", JoinedTest.Beans.class, JoinedTest.TransactionLast.class);
        jdbc().execute("create table ledger (id int auto_increment primary key, what varchar(100) not null)");
    }

    @AfterAll
    static void stop() {
        application.close();
        server.close();
    }

    private final JoinedTest.Ledger ledger = application.getBean(JoinedTest.Ledger.class);

    private static JdbcTemplate jdbc() {
        return new JdbcTemplate(application.getBean(DataSource.class));
    }

    private static List<String> rows(String what) {
        return jdbc().queryForList("select what from ledger where what = ?", String.class, what);
    }

    @Test
    void effect_and_outcome_commit_together_for_many_at_once() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<JoinedTest.Entry>> entries = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String what = "many-" + i % 10;
                entries.add(threads.submit(() -> ledger.append(what)));
            }
            for (int i = 0; i < 40; i++)
                assertEquals(entries.get(i % 10).get(), entries.get(i).get());
        }
        for (int i = 0; i < 10; i++) assertEquals(List.of("many-" + i), rows("many-" + i));
    }

    /** The exception is the method's own: the connection stays, and Spring can roll back on it. */
    @Test
    void an_exception_leaves_nothing_also_one_that_spring_would_commit() {
        assertThrows(IllegalArgumentException.class, () -> ledger.fail("f", false));
        assertThrows(IOException.class, () -> ledger.fail("f", true));
        assertEquals(List.of(), rows("f"));
        ledger.append("f");
        ledger.append("f");
        assertEquals(List.of("f"), rows("f"));
    }
}
