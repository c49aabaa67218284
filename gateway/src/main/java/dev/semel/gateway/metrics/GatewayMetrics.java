package dev.semel.gateway.metrics;

import dev.semel.core.Semel;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.store.KeyStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The meters of one gateway. For use by any thread. */
public final class GatewayMetrics implements AutoCloseable {
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** Stands for the route where there is none: no route is spelt like these. */
    private static final String NO_ROUTE = "(none)";

    private static final String OWN_RESOURCES = "(semel)";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<String, RouteMeters> routes = new ConcurrentHashMap<>();
    private final RouteMeters noRoute = new RouteMeters(registry, NO_ROUTE);
    private final RouteMeters ownResources = new RouteMeters(registry, OWN_RESOURCES);
    private final StoreMeters store = new StoreMeters(registry);
    private final DoubtMeters doubts = new DoubtMeters(registry);
    private final WebhookMeters webhooks = new WebhookMeters(registry);
    private final SweepProgress sweep = new SweepProgress(registry, doubts, System::nanoTime);
    private volatile @Nullable LongSupplier bodyBytes;
    private volatile @Nullable LongSupplier bodyLimit;

    public GatewayMetrics() {
        Gauge.builder(MeterNames.BODY_MEMORY, () -> valueOf(bodyBytes))
                .description("Memory that the bodies of requests and answers take up")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder(MeterNames.BODY_MEMORY_LIMIT, () -> valueOf(bodyLimit))
                .description("Memory that bodies may take up before requests are refused")
                .baseUnit("bytes")
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    private static double valueOf(@Nullable LongSupplier supplier) {
        return supplier == null ? Double.NaN : supplier.getAsLong();
    }

    /** The same meters whenever the same name is asked for: counts go on when routes are read anew. */
    public RouteMeters route(String name) {
        return routes.computeIfAbsent(name, first -> new RouteMeters(registry, first).begunAtZero());
    }

    /** For requests that are refused before their route is known. */
    public RouteMeters noRoute() {
        return noRoute;
    }

    /** For what the gateway answers itself: the status of keys, the service API. */
    public RouteMeters ownResources() {
        return ownResources;
    }

    /** For what becomes of webhooks. */
    public WebhookMeters webhooks() {
        return webhooks;
    }

    /** The same store, timed. */
    public KeyStore around(KeyStore plain) {
        return new MeteredKeyStore(plain, store, sweep);
    }

    /** Hears what happens to keys. */
    public SemelListener listener() {
        return doubts;
    }

    public void engine(Semel semel) {
        Gauge.builder(MeterNames.IN_FLIGHT, semel, Semel::heldHere)
                .description("Operations that run through this gateway now")
                .register(registry);
        Gauge.builder(MeterNames.WAITING, semel, Semel::waitingHere)
                .description("Duplicates that wait here for an operation in flight")
                .register(registry);
    }

    /** @param address from the configuration, without path or secrets */
    public void upstream(String address, BooleanSupplier reachable) {
        Gauge.builder(MeterNames.UPSTREAM_REACHABLE, () -> reachable.getAsBoolean() ? 1 : 0)
                .description("Whether the last attempts to connect to this address of an upstream succeeded")
                .tag(MeterNames.UPSTREAM, address)
                .register(registry);
    }

    /** What bodies take up now, and what they may. Until this is called, neither is known. */
    public void bodyMemory(LongSupplier inUse, LongSupplier limit) {
        bodyBytes = inUse;
        bodyLimit = limit;
    }

    /** All of it, as Prometheus reads it. */
    public String scrape() {
        return registry.scrape();
    }

    @Override
    public void close() {
        registry.close();
    }
}
