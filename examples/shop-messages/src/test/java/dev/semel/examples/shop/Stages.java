package dev.semel.examples.shop;

import dev.semel.testkit.kafka.KafkaServer;
import dev.semel.testkit.postgres.PostgresServer;
import dev.semel.testkit.server.FreePort;
import dev.semel.testkit.server.ServerProcess;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** All that a request passes through, each in a process of its own: gateway, shop, PostgreSQL, relay, Kafka, billing. */
final class Stages implements AutoCloseable {
    /** One that can be killed. */
    record Stage(String name, Runnable killAndRestart) {}

    private final int gatewayPort = FreePort.pick();
    private final int gatewayAdmin = FreePort.pick();
    private final int shopPort = FreePort.pick();
    private final int relayAdmin = FreePort.pick();
    private final Path folder;
    private final List<Runnable> ends = new ArrayList<>();
    final KafkaServer kafka;
    final PostgresServer postgres;
    private final ServerProcess gateway;
    private final ServerProcess shop;
    private final ServerProcess relay;
    private final ServerProcess billing;

    Stages(Path folder) throws Exception {
        this.folder = folder;
        try {
            kafka = KafkaServer.launch(folder.resolve("kafka"));
            ends.add(kafka::close);
            postgres = PostgresServer.startFromClassPath(folder.resolve("postgres"), "fsync=off");
            ends.add(postgres::close);
            createDatabases();
            shop = process(
                    "shop",
                    ShopApplication.class,
                    "--server.port=" + shopPort,
                    "--spring.datasource.url=" + shopDatabase());
            gateway = process(
                    "gateway",
                    GatewayMain.class,
                    "" + gatewayPort,
                    "" + gatewayAdmin,
                    "" + shopPort,
                    folder.resolve("keys").toString());
            kafka.awaitConnections();
            createTopic();
            billing = process("billing", BillingMain.class, billingDatabase(), kafka.bootstrap());
            relay = process("relay", RelayMain.class, shopDatabase(), kafka.url(), "" + relayAdmin);
            shop.await(() -> listens(shopPort));
            gateway.await(() -> isReady(gatewayAdmin));
            relay.await(() -> isReady(relayAdmin));
        } catch (Exception | Error e) {
            close();
            throw e;
        }
    }

    private void createDatabases() throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("create database shop");
            statement.execute("create database billing");
        }
    }

    private void createTopic() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
            admin.createTopics(List.of(new NewTopic("orders", 3, (short) 1)))
                    .all()
                    .get();
        }
    }

    private ServerProcess process(String name, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        ServerProcess process = ServerProcess.launch(name, folder, command, Map.of());
        ends.add(process::close);
        return process;
    }

    URI orders() {
        return URI.create("http://127.0.0.1:" + gatewayPort + "/v1/orders");
    }

    String shopDatabase() {
        return postgres.jdbcUrl("shop");
    }

    String billingDatabase() {
        return postgres.jdbcUrl("billing");
    }

    List<Stage> all() {
        return List.of(
                new Stage("gateway", () -> killed(gateway, () -> isReady(gatewayAdmin))),
                new Stage("shop", () -> killed(shop, () -> listens(shopPort))),
                new Stage("relay", () -> killed(relay, () -> isReady(relayAdmin))),
                new Stage("billing", () -> killed(billing, () -> true)),
                new Stage("kafka", () -> {
                    kafka.kill9();
                    kafka.restart();
                }),
                new Stage("postgres", () -> {
                    postgres.kill9();
                    postgres.restart();
                }));
    }

    /** With SIGKILL. */
    private static void killed(ServerProcess process, BooleanSupplier isBack) {
        process.kill9();
        process.relaunch();
        process.await(isBack);
    }

    /** What they said at the end. */
    String logs() {
        StringBuilder text = new StringBuilder();
        for (ServerProcess each : List.of(gateway, shop, relay, billing)) {
            String log = each.log();
            text.append(log, Math.max(0, log.length() - 3000), log.length()).append("\n---\n");
        }
        return text.toString();
    }

    private static boolean listens(int port) {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return connection.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isReady(int adminPort) {
        try {
            HttpURLConnection asked = (HttpURLConnection) URI.create("http://127.0.0.1:" + adminPort + "/readyz")
                    .toURL()
                    .openConnection();
            asked.setConnectTimeout(500);
            asked.setReadTimeout(2000);
            return asked.getResponseCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        ends.reversed().forEach(Runnable::run);
    }
}
