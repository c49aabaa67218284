package dev.semel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.Guarantee;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** An application that ends: what runs may finish, and nothing new begins. */
@Timeout(60)
class ShutdownTest {
    static class Ledger {
        private final JdbcTemplate jdbc;

        Ledger(DataSource source) {
            this.jdbc = new JdbcTemplate(source);
        }

        @Once(key = "#what", guarantee = Guarantee.JOINED)
        @Transactional
        public void append(String what) {
            jdbc.update("insert into ledger (what) values (?)", what);
        }
    }

    static class Shop {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        private final Ledger ledger;

        Shop(Ledger ledger) {
            this.ledger = ledger;
        }

        @Once(key = "#id")
        public String charge(String id) throws InterruptedException {
            entered.countDown();
            goOn.await();
            ledger.append(id);
            return "charged";
        }

        @Once(key = "#id")
        public String quick(String id) {
            return id;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {
        @Bean
        Ledger ledger(DataSource source) {
            return new Ledger(source);
        }

        @Bean
        Shop shop(Ledger ledger) {
            return new Shop(ledger);
        }
    }

    private static Shop target(Shop proxy) {
        return (Shop) org.springframework.aop.framework.AopProxyUtils.getSingletonTarget(proxy);
    }

    private static ConfigurableApplicationContext start(Database database, String grace) {
        return Applications.start(
                WebApplicationType.NONE,
                List.of("spring.datasource.url=" + database.url(), "semel.shutdown-grace=" + grace),
                Beans.class);
    }

    @Test
    void what_runs_finishes_with_all_that_it_calls_and_nothing_new_begins() throws Exception {
        Database database = Database.fresh();
        ConfigurableApplicationContext application = start(database, "50s");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Shop shop = application.getBean(Shop.class);
            OperationGate gate = application.getBean(OperationGate.class);
            Future<String> running = threads.submit(() -> shop.charge("c-1"));
            target(shop).entered.await();
            Future<?> closing = threads.submit(application::close);
            while (gate.isRunning()) Thread.onSpinWait();
            String said = assertThrows(IllegalStateException.class, () -> shop.quick("q"))
                    .getMessage();
            assertTrue(said.contains("stopping") && said.contains("Nothing ran"), said);
            assertTrue(!closing.isDone());
            target(shop).goOn.countDown();
            assertEquals("charged", running.get());
            closing.get();
        } finally {
            application.close();
        }
        assertEquals(1, database.count("ledger where what = 'c-1'"));
        try (ConfigurableApplicationContext again = start(database, "1s")) {
            assertEquals("charged", again.getBean(Shop.class).charge("c-1"));
        }
    }

    @Test
    void the_end_waits_no_longer_than_it_was_told() throws Exception {
        ConfigurableApplicationContext application = start(Database.fresh(), "100ms");
        Shop shop = application.getBean(Shop.class);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> running = threads.submit(() -> shop.charge("c-1"));
            target(shop).entered.await();
            long began = System.nanoTime();
            application.close();
            assertTrue(System.nanoTime() - began < Duration.ofSeconds(20).toNanos());
            assertTrue(!running.isDone());
            target(shop).goOn.countDown();
        }
    }

    @Test
    void an_application_that_is_stopped_can_be_started_again() throws Exception {
        try (ConfigurableApplicationContext application = start(Database.fresh(), "1s")) {
            Shop shop = application.getBean(Shop.class);
            application.stop();
            assertThrows(IllegalStateException.class, () -> shop.quick("q"));
            application.start();
            assertEquals("q", shop.quick("q"));
        }
    }

    /** All that is made with the first call has to be closed as well. */
    @Test
    void an_application_that_makes_its_beans_late_ends_its_engine_too() throws Exception {
        Set<Thread> before = engineThreads();
        try (ConfigurableApplicationContext application = Applications.start(
                WebApplicationType.NONE,
                List.of("spring.datasource.url=" + Database.fresh().url(), "spring.main.lazy-initialization=true"),
                Beans.class)) {
            assertEquals("q", application.getBean(Shop.class).quick("q"));
            assertTrue(engineThreads().size() > before.size());
        }
        Set<Thread> left = engineThreads();
        left.removeAll(before);
        for (Thread each : left) assertTrue(each.join(Duration.ofSeconds(10)), each.getName());
    }

    private static Set<Thread> engineThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().startsWith("semel-"))
                .collect(Collectors.toSet());
    }
}
