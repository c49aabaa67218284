package dev.semel.examples.demo.messages;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A {@link ShopMain} that is killed with SIGKILL and started again. Customers whose order it has not answered try again, as often as
 * it takes. It never outlives this process.
 */
final class KillableShop implements AutoCloseable {
    /** Ctrl-C in a terminal goes to all its processes, and this one is still needed then. */
    private static final List<String> DEAF_TO_CTRL_C = List.of("sh", "-c", "trap '' INT; exec \"$@\"", "semel");

    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m");

    private final List<String> command;
    private final File log;
    private final Map<String, OrderPlaced> unanswered = new ConcurrentHashMap<>();
    private volatile Running running;
    private volatile boolean closed;

    /** One life of it. */
    private record Running(Process process, CountDownLatch ready) {}

    private KillableShop(List<String> command, File log) throws IOException {
        this.command = command;
        this.log = log;
        this.running = launch();
    }

    static KillableShop start(String kind, String databaseUrl, int brokerPort, Path folder) throws IOException {
        List<String> command = new java.util.ArrayList<>(DEAF_TO_CTRL_C);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ShopMain.class.getName()));
        command.addAll(List.of(kind, databaseUrl, String.valueOf(brokerPort)));
        return new KillableShop(command, folder.resolve(kind + ".log").toFile());
    }

    private Running launch() throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log))
                .start();
        Running launched = new Running(process, new CountDownLatch(1));
        Thread.ofVirtual().name("demo-shop-answers").start(() -> readAnswers(launched));
        return launched;
    }

    private void readAnswers(Running of) {
        try (BufferedReader answers = of.process.inputReader(UTF_8)) {
            for (String line; (line = answers.readLine()) != null; ) {
                unanswered.remove(line);
                if (!line.equals("ready")) continue;
                of.ready.countDown();
                unanswered.values().forEach(order -> write(of, order));
            }
        } catch (IOException killed) {
            // The next one answers.
        }
    }

    void awaitReady() throws IOException, InterruptedException {
        if (!running.ready.await(40, TimeUnit.SECONDS))
            throw new IOException("A shop does not start: see " + log + ".");
    }

    boolean isUp() {
        return running.process.isAlive() && running.ready.getCount() == 0;
    }

    void place(OrderPlaced order) {
        unanswered.put(order.id(), order);
        if (isUp()) write(running, order);
    }

    private static void write(Running to, OrderPlaced order) {
        try {
            OutputStream in = to.process.getOutputStream();
            synchronized (to) {
                in.write((order.line() + "\n").getBytes(UTF_8));
                in.flush();
            }
        } catch (IOException killed) {
            // The customer tries again when the shop is back.
        }
    }

    /** Customers who have waited for long try again. */
    void retry() {
        if (isUp()) unanswered.values().forEach(order -> write(running, order));
    }

    int unanswered() {
        return unanswered.size();
    }

    synchronized void kill() {
        if (closed) return;
        running.process.destroyForcibly().onExit().join();
        try {
            running = launch();
        } catch (IOException e) {
            throw new UncheckedIOException("A shop cannot be started again.", e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        running.process.destroyForcibly().onExit().join();
    }
}
