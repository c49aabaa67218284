package dev.semel.torture.fuzz;

import dev.semel.testkit.http.ScriptedUpstream;
import dev.semel.torture.Progress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends a real gateway, in a process of its own and in front of a real upstream, very many requests that are nearly
 * HTTP, over many connections at once. Whatever comes: each connection is answered or closed in time, nothing fails
 * inside, what reaches the upstream is proper HTTP, no key has more than one effect, and in the end the gateway is as it
 * was at first.
 */
public final class HttpFuzz {
    private static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(30);
    private static final int SPARE_DESCRIPTORS = 10;
    private static final long POLL_MILLIS = 100;

    private final Options options;
    private final PrintStream out;
    private final CaseSource cases;
    private final Tally tally = new Tally();
    private final Violations violations;
    private final AtomicInteger next = new AtomicInteger();

    /**
     * What to send.
     *
     * @param seed the same seed sends the same bytes
     * @param connections how many clients at once
     * @param store the URL of the gateway's store, without keys from an earlier run of the same seed
     * @param report where the bytes of offending requests are written; null for nowhere
     */
    public record Options(
            int requests,
            long seed,
            int connections,
            String store,
            @Nullable Path report) {}

    private HttpFuzz(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
        this.cases = new CaseSource(options.seed());
        this.violations = new Violations(cases, out, options.report());
    }

    /**
     * Runs to the end and prints what happened. Every process that it started is gone when it returns.
     *
     * @return how many times something happened that must not
     */
    public static int run(Options options, GatewayLauncher launcher, PrintStream out)
            throws IOException, InterruptedException {
        HttpFuzz fuzz = new HttpFuzz(options, out);
        Path config = Files.createTempFile("semel-fuzz", ".yaml");
        try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
            Files.writeString(config, config(upstream.port(), options.store()));
            fuzz.torture(launcher, config, upstream);
        } finally {
            Files.deleteIfExists(config);
        }
        return fuzz.violations.count();
    }

    /** Short times, so that those who never come to an end cost little of ours. */
    private static String config(int upstreamPort, String store) {
        return """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            store: '%s'
            upstream: { url: http://127.0.0.1:%d }
            limits: { head-time: 500ms, body-time: 500ms, idle: 2s }
            """.formatted(store, upstreamPort);
    }

    private void torture(GatewayLauncher launcher, Path config, ScriptedUpstream upstream)
            throws IOException, InterruptedException {
        out.printf(
                Locale.ROOT,
                "seed %d, %,d requests, %d connections%n",
                options.seed(),
                options.requests(),
                options.connections());
        try (FuzzedGateway gateway = FuzzedGateway.start(launcher, config)) {
            healthy(gateway, "before");
            long descriptors = gateway.descriptors();
            long began = System.nanoTime();
            Progress progress = new Progress(out, () -> soFar(began));
            sendAll(gateway);
            progress.finish();
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            healthy(gateway, "after");
            check(upstream);
            // Ends the connections that the gateway keeps to it, so that only those count that nobody knows of.
            upstream.close();
            awaitDescriptors(gateway, descriptors);
            summary(upstream, took);
        }
    }

    private String soFar(long began) {
        int count = Math.min(options.requests(), next.get());
        double seconds = (System.nanoTime() - began) / 1e9;
        return String.format(
                Locale.ROOT,
                "%,d of %,d requests  %,.0f/s  %d violations",
                count,
                options.requests(),
                count / seconds,
                violations.count());
    }

    private void healthy(FuzzedGateway gateway, String when) {
        try {
            String complaint = gateway.complaint("fz-" + Long.toHexString(options.seed()) + "-" + when);
            if (!complaint.isEmpty()) violations.add(when + " the run, " + complaint);
        } catch (IOException | AssertionError e) {
            violations.add(when + " the run, the gateway does not answer: " + e);
        }
    }

    private void sendAll(FuzzedGateway gateway) throws InterruptedException {
        FuzzClient client = new FuzzClient(gateway.address(), tally, violations);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < options.connections(); i++)
            threads.add(Thread.ofVirtual().name("fuzz-", i).start(() -> send(client, gateway)));
        for (Thread thread : threads) thread.join();
    }

    private void send(FuzzClient client, FuzzedGateway gateway) {
        for (int index = next.getAndIncrement(); index < options.requests(); index = next.getAndIncrement()) {
            if (!gateway.isAlive()) return;
            client.send(index, cases.number(index));
        }
    }

    private void awaitDescriptors(FuzzedGateway gateway, long before) throws IOException, InterruptedException {
        long kept = before + SPARE_DESCRIPTORS;
        long deadline = System.nanoTime() + SETTLE_TIMEOUT.toNanos();
        while (gateway.isAlive() && gateway.descriptors() > kept) {
            if (System.nanoTime() > deadline) {
                violations.add(gateway.descriptors() + " descriptors are open, " + before + " were at first");
                return;
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private void check(ScriptedUpstream upstream) {
        for (String complaint : upstream.ledger().complaints())
            violations.add("the upstream got what is no HTTP: " + complaint);
        String repeated = Effects.of(upstream).repeated();
        if (repeated != null) violations.add("more than one effect: " + repeated + blame(repeated));
    }

    /** The cases that used this key. */
    private String blame(String repeated) {
        String key = repeated.replaceFirst("^\\S+ \\S+ (.*), \\d+ times$", "$1");
        StringBuilder blamed = new StringBuilder();
        for (int i = 0; i < options.requests() && !key.isEmpty(); i++)
            if (new String(cases.number(i).bytes(), StandardCharsets.ISO_8859_1).contains(key)) {
                blamed.append(' ').append(i);
                violations.add(i, "used a key with more than one effect", repeated);
            }
        return "; requests" + blamed;
    }

    private void summary(ScriptedUpstream upstream, Duration took) {
        out.println();
        tally.print(out);
        out.printf(
                Locale.ROOT,
                "%n%,d requests in %d s; %,d reached the upstream, %,d operations with a key happened there.%n",
                options.requests(),
                took.toSeconds(),
                upstream.ledger().strays().size(),
                Effects.of(upstream).operations());
        int count = violations.count();
        out.println(count == 0 ? "No violations." : count + " VIOLATIONS; seed " + options.seed());
    }
}
