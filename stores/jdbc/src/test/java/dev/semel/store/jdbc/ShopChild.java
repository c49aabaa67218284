package dev.semel.store.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A {@link ShopProcess}, as its parent sees it, with a wire of its own to the database. */
final class ShopChild implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;
    private static final List<String> JVM = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx64m",
            // A look at a connection would be taken for what is asked over it.
            "-Dcom.zaxxer.hikari.aliveBypassWindowMs=600000");

    private final Process process;
    private final HeldWire wire;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<String, Sale> sales = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    /** One that was asked for. */
    record Sale(String number, CompletableFuture<Void> stopped, CompletableFuture<String> said) {}

    private ShopChild(Process process, HeldWire wire) {
        this.process = process;
        this.wire = wire;
        Thread.ofVirtual().start(this::listen);
    }

    /** Returns one that need not be ready yet. */
    static ShopChild start(String url, int databasePort, JoiningBug bug) throws Exception {
        if (ShopClasses.areMissing())
            start(url, databasePort, bug, ShopClasses.makingOptions()).end();
        return start(url, databasePort, bug, ShopClasses.options());
    }

    private static ShopChild start(String url, int databasePort, JoiningBug bug, List<String> options) {
        try {
            HeldWire wire = HeldWire.to(databasePort);
            String over = url.replaceFirst(":" + databasePort + "/", ":" + wire.port() + "/");
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(options);
            command.addAll(JVM);
            command.addAll(List.of("-cp", ShopClasses.CLASS_PATH));
            command.addAll(List.of(ShopProcess.class.getName(), over, bug.name()));
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new ShopChild(process, wire);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void listen() {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line; (line = in.readLine()) != null; ) take(line);
        } catch (IOException gone) {
            // As it should be.
        }
        sales.values().forEach(sale -> sale.said().complete("killed"));
        ready.completeExceptionally(new IOException("It has ended."));
    }

    private void take(String line) {
        if (line.equals(ShopProcess.READY)) {
            ready.complete(null);
            return;
        }
        String[] words = line.split(" ", 2);
        Sale sale = sales.get(words[0]);
        if (words[1].startsWith("at ")) sale.stopped().complete(null);
        else sale.said().complete(words[1]);
    }

    ShopChild awaitReady() throws Exception {
        ready.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return this;
    }

    /** What came of a sale: {@code receipt …}, {@code in-progress}, {@code in-doubt}, {@code failed …}, {@code killed}. */
    String sell(String how, String key) throws Exception {
        return ask(how, key, "-").said().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Returns when it has stopped there; or has passed by, for someone else was first. */
    Sale sellUntil(CrashPoint point, String how, String key) throws Exception {
        Sale sale = ask(how, key, point.name());
        CompletableFuture.anyOf(sale.stopped(), sale.said()).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return sale;
    }

    /** Lets a sale that has stopped go on until what it says next is on the wire. */
    void goOn(Sale sale, HeldWire.Hold hold) throws Exception {
        wire.holdNext(hold);
        say(sale.number() + " " + ShopProcess.GO);
        wire.awaitHeld();
    }

    private Sale ask(String how, String key, String stopAt) throws IOException {
        Sale sale = new Sale("" + numbers.incrementAndGet(), new CompletableFuture<>(), new CompletableFuture<>());
        sales.put(sale.number(), sale);
        say(sale.number() + " " + how + " " + key + " " + stopAt);
        return sale;
    }

    private synchronized void say(String line) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append(line).append('\n').flush();
    }

    /** In the orderly way. */
    private void end() throws Exception {
        awaitReady();
        process.getOutputStream().close();
        process.waitFor();
        wire.close();
    }

    /** SIGKILL; it is gone when this returns, and the database is done with what it said last. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        wire.awaitOver();
        wire.close();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        wire.close();
    }
}
