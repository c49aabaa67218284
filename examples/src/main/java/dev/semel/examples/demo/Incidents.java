package dev.semel.examples.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Breaks things on request. What exists on both sides breaks on both at once; the gateway is there on one side only.
 * What was broken comes back by itself.
 */
final class Incidents implements AutoCloseable {
    static final Duration SERVICE_DOWN = Duration.ofSeconds(2);
    static final Duration ANSWERS_LOST = Duration.ofSeconds(3);

    private final DemoGateway gateway;
    private final List<DemoService> services;
    private final List<Side> sides;
    private final FaultRates usual;
    private final AtomicInteger kills = new AtomicInteger();
    private final AtomicInteger crashes = new AtomicInteger();
    private final AtomicInteger blackouts = new AtomicInteger();
    private final AtomicInteger activeBlackouts = new AtomicInteger();
    private final ScheduledExecutorService repairs = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("demo-repairs").factory());

    Incidents(DemoGateway gateway, List<DemoService> services, List<Side> sides, FaultRates usual) {
        this.gateway = gateway;
        this.services = services;
        this.sides = sides;
        this.usual = usual;
    }

    IncidentCount count() {
        boolean servicesUp = services.stream().allMatch(DemoService::isUp);
        return new IncidentCount(
                kills.get(),
                crashes.get(),
                blackouts.get(),
                gateway.isUp(),
                servicesUp,
                activeBlackouts.get() == 0,
                gateway.doubts());
    }

    void killGateway() {
        if (!gateway.isUp()) return;
        kills.incrementAndGet();
        gateway.kill();
    }

    void crashServices() {
        if (!services.stream().allMatch(DemoService::isUp)) return;
        crashes.incrementAndGet();
        services.forEach(DemoService::crash);
        var unused = repairs.schedule(this::restartServices, SERVICE_DOWN.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void restartServices() {
        try {
            for (DemoService service : services) service.restart();
        } catch (IOException e) {
            throw new UncheckedIOException("The payment service does not come back.", e);
        }
    }

    void loseAllAnswers() {
        blackouts.incrementAndGet();
        activeBlackouts.incrementAndGet();
        sides.forEach(side -> side.network().change(FaultRates.ALL_ANSWERS_LOST));
        var unused = repairs.schedule(this::endBlackout, ANSWERS_LOST.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void endBlackout() {
        if (activeBlackouts.decrementAndGet() == 0)
            sides.forEach(side -> side.network().change(usual));
    }

    /** Nothing is broken any more, and the network is a good one, for good. */
    void endAll() throws InterruptedException {
        repairs.shutdownNow();
        repairs.awaitTermination(1, TimeUnit.SECONDS);
        activeBlackouts.set(0);
        sides.forEach(side -> side.network().change(FaultRates.NONE));
        restartServices();
    }

    @Override
    public void close() {
        repairs.shutdownNow();
    }
}
