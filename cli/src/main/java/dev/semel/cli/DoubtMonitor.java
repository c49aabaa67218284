package dev.semel.cli;

import dev.semel.admin.JsonTree;
import dev.semel.examples.demo.DemoGateway.Doubts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Polls the admin API of the demo's gateway for keys in doubt, and for what became of those that were,
 * or that were in progress when the gateway was killed.
 */
final class DoubtMonitor implements AutoCloseable {
    private static final long POLL_MILLIS = 200;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final URI admin;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("doubt-log").factory());
    private final Map<String, DoubtHistory> stories = new ConcurrentHashMap<>();
    private volatile boolean answers;
    /** Counts the lives of the gateway, so that what a dead one said last does not count for the next. */
    private final AtomicInteger lives = new AtomicInteger();

    private DoubtMonitor(URI admin) {
        this.admin = admin;
    }

    static DoubtMonitor of(URI admin) {
        DoubtMonitor log = new DoubtMonitor(admin);
        var unused = log.timer.scheduleWithFixedDelay(log::poll, 0, POLL_MILLIS, TimeUnit.MILLISECONDS);
        return log;
    }

    boolean gatewayAnswers() {
        return answers;
    }

    /** Right before it is killed: what it is working on may end in doubt. */
    void beforeGatewayIsKilled() {
        lives.incrementAndGet();
        answers = false;
        try {
            track("in-progress");
        } catch (IOException | IllegalArgumentException e) {
            // Then only what is seen in doubt later counts.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    Doubts count() {
        return new Doubts(
                stories.values().stream().filter(DoubtHistory::wasInDoubt).count(),
                stories.values().stream().filter(DoubtHistory::wasEndedByProbe).count(),
                stories.values().stream().filter(DoubtHistory::isInDoubt).count());
    }

    private void poll() {
        int life = lives.get();
        try {
            get("/healthz");
            answers = life == lives.get();
            track("in-doubt");
            for (Map.Entry<String, DoubtHistory> each : stories.entrySet())
                if (!each.getValue().isOver()) each.setValue(story(each.getKey()));
        } catch (HttpTimeoutException slow) {
            // A slow disk, not a dead gateway: ask again.
        } catch (IOException | IllegalArgumentException down) {
            answers = false;
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** From now on, what becomes of the keys that are in this state is known. */
    private void track(String state) throws IOException, InterruptedException {
        if (json("/admin/v1/keys?limit=1000&state=" + state).get("keys") instanceof List<?> lines)
            for (Object line : lines)
                if (line instanceof Map<?, ?> it)
                    stories.putIfAbsent(String.valueOf(it.get("key")), DoubtHistory.UNKNOWN);
    }

    private DoubtHistory story(String key) throws IOException, InterruptedException {
        return DoubtHistory.of(json("/admin/v1/keys/" + key + "?operation=POST%20/v1/charges"));
    }

    private Map<?, ?> json(String target) throws IOException, InterruptedException {
        return JsonTree.readObject(get(target));
    }

    private byte[] get(String target) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(admin + target))
                .timeout(TIMEOUT)
                .build();
        return http.send(request, BodyHandlers.ofByteArray()).body();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        http.shutdownNow();
    }
}
