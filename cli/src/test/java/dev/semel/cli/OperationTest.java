package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What those who run a gateway rely on: its health, and an end in good order. */
class OperationTest {

    @Test
    void sigterm_lets_what_runs_finish_answers_it_and_records_it() throws Exception {
        try (OpenStore store = OpenStore.Kind.ROCKSDB.open();
                CountingUpstream upstream = CountingUpstream.start();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                GatewayProcess gateway = GatewayProcess.start(store.url(), upstream.url());
                Client idle = new Client(gateway.port())) {
            Client leaver = new Client(gateway.port());
            assertEquals(201, idle.order("before").status());
            CountDownLatch answers = upstream.holdAnswers(key -> true);
            Future<Answer> first = threads.submit(() -> order(gateway, "in-flight"));
            Future<Answer> unguarded = threads.submit(() -> unguarded(gateway, "unguarded"));
            threads.submit(() -> leaver.order("left-alone"));
            Await.until("all are under way", () -> upstream.effects() == 4);
            leaver.close();

            gateway.process().terminate();
            gateway.process().awaitError("semel: stopping");
            Await.until("not ready", () -> gateway.readiness().status() == 503);
            Await.until("no new connection is taken", () -> refusesConnections(gateway));
            assertFalse(first.isDone());
            answers.countDown();
            Answer answer = first.get();
            assertEquals(201, answer.status(), answer.text());
            assertEquals(201, unguarded.get().status());
            assertEquals(143, gateway.process().exitCode());

            gateway.restart();
            Answer again = order(gateway, "in-flight");
            assertTrue(again.isReplay());
            assertEquals(answer.essence(), again.essence());
            assertTrue(order(gateway, "left-alone").isReplay());
            assertTrue(order(gateway, "before").isReplay());
            assertEquals(1, upstream.effects("in-flight"));
            assertEquals(1, upstream.effects("left-alone"));
        }
    }

    private static Answer order(GatewayProcess gateway, String key) throws IOException {
        try (Client client = new Client(gateway.port())) {
            return client.order(key);
        }
    }

    private static Answer unguarded(GatewayProcess gateway, String name) throws IOException {
        try (Client client = new Client(gateway.port())) {
            return client.unguardedOrder(name);
        }
    }

    private static boolean refusesConnections(GatewayProcess gateway) {
        try (Socket socket = new Socket("127.0.0.1", gateway.port())) {
            return !socket.isConnected();
        } catch (IOException refused) {
            return true;
        }
    }

    @Test
    void sighup_reads_the_file_again_and_a_bad_one_changes_nothing() throws Exception {
        try (TemporaryFolder folder = OpenStore.folder();
                CountingUpstream first = CountingUpstream.start();
                CountingUpstream second = CountingUpstream.start()) {
            Path file = folder.path().resolve("semel.yml");
            Files.writeString(file, config(first, ""));
            try (SemelProcess process = SemelProcess.startHearingHangUp("serve", "--config", file.toString())) {
                process.awaitError("semel: admin on ");
                Matcher address =
                        Pattern.compile("listening on 127.0.0.1:(\\d+)").matcher(process.errorSoFar());
                assertTrue(address.find(), process.errorSoFar());
                try (Client client = new Client(Integer.parseInt(address.group(1)))) {
                    assertEquals(201, client.order("before").status());
                    Files.writeString(file, config(second, "routes: [{ match: POST /v1/orders, key: required }]\n"));
                    process.signal("HUP");
                    process.awaitError("The configuration is reloaded: 1 routes");
                    assertEquals(201, client.order("after").status(), "on the same connection");
                    assertEquals(
                            "400 key-missing", client.unguardedOrder("after").summary());

                    Files.writeString(file, config(first, "colour: red\n"));
                    process.signal("HUP");
                    process.awaitError("The configuration is not reloaded; the old one stays.");
                    process.awaitError("semel.yml:6:1: unknown name 'colour'");
                    assertEquals(
                            "400 key-missing", client.unguardedOrder("still").summary());

                    Files.writeString(file, config(first, "").replace("memory:", "rocksdb:elsewhere"));
                    process.signal("HUP");
                    process.awaitError("only used after a restart: store");
                    assertEquals(201, client.order("again").status());
                }
            }
            assertEquals(2, first.effects());
            assertEquals(1, second.effects());
        }
    }

    private static String config(CountingUpstream upstream, String more) {
        return """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            store: "memory:"
            accept-lost-keys: true
            upstream: { url: "%s" }
            """.formatted(upstream.url()) + more;
    }

    @Test
    void health_is_about_the_process_and_readiness_about_the_store() throws Exception {
        try (TemporaryFolder folder = OpenStore.folder();
                PostgresServer database = OpenStore.postgres(folder);
                CountingUpstream upstream = CountingUpstream.start();
                GatewayProcess gateway = GatewayProcess.start(database.jdbcUrl(), upstream.url())) {
            assertEquals(200, health(gateway));
            assertEquals("ready\n", gateway.readiness().text());
            database.kill9();
            // What the store said is believed for a second.
            Await.until("not ready", () -> gateway.readiness().status() == 503);
            String why = gateway.readiness().text();
            assertTrue(why.startsWith("not ready: the store "), why);
            assertEquals(200, health(gateway));
            database.restart();
            Await.until("ready again", () -> gateway.readiness().status() == 200);
        }
    }

    private static int health(GatewayProcess gateway) throws IOException {
        return Client.get(gateway.adminPort(), "/healthz").status();
    }
}
