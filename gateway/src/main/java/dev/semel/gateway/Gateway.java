package dev.semel.gateway;

import dev.semel.admin.AdminApi;
import dev.semel.core.Semel;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.Quotas;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyStore;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.HostPort;
import dev.semel.gateway.config.RestartSettings;
import dev.semel.gateway.config.WebhooksSettings;
import dev.semel.gateway.metrics.GatewayMetrics;
import dev.semel.gateway.wire.StrictConnections;
import dev.semel.http.Guard;
import dev.semel.http.key.WeakKeys;
import dev.semel.seal.SealCheck;
import dev.semel.seal.SealKeys;
import dev.semel.seal.SealedKeyStore;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running gateway: where everything is put together. */
public final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    private static final Logger AUDIT = LoggerFactory.getLogger("semel.audit");
    private static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(30);

    static {
        StrictConnections.enable();
    }

    private final Vertx vertx;
    private final KeyStore store;
    private final Semel semel;
    private final InFlight inFlight = new InFlight();
    private final BodyBudget bodies;
    private final Delivery delivery;
    private final StoreHealth health;
    private final GatewayMetrics metrics;
    private final UpstreamAddresses addresses;
    private final AdminListener admin;
    private final Webhooks webhooks;
    private final List<ApiListener> listeners = new CopyOnWriteArrayList<>();
    private final WeakKeys weakKeys = new WeakKeys(InstantSource.system(), Gateway::warn);
    private final GatewayConfig started;
    private volatile Rules rules;
    private int port;

    private Gateway(GatewayConfig config, KeyStore store, GatewayMetrics metrics) {
        this.started = config;
        this.store = store;
        this.metrics = metrics;
        this.addresses = new UpstreamAddresses(metrics);
        this.vertx = Vertx.vertx(options());
        this.bodies = new BodyBudget(config.limits().memory());
        metrics.bodyMemory(bodies::inUse, bodies::limit);
        this.delivery = new Delivery(vertx, bodies, config.limits().bodyTime());
        SemelListener log = new EventLog();
        SemelListener counts = metrics.listener();
        SemelListener events = event -> {
            counts.on(event);
            log.on(event);
        };
        this.semel = Semel.on(store)
                .listener(events)
                .policies(this::policyOf)
                .quotas(config.tenant() == null ? Quotas.NONE : config.tenant().quotas())
                .start();
        metrics.engine(semel);
        this.rules = rules(config);
        this.health = new StoreHealth(store);
        this.admin = new AdminListener(vertx, health, adminApi(), inFlight, delivery, metrics, config.admin());
        this.webhooks = new Webhooks(vertx, config, bodies, metrics);
    }

    private Rules rules(GatewayConfig config) {
        return new Rules(vertx, config, semel, inFlight, delivery, addresses, metrics);
    }

    private @Nullable ClaimPolicy policyOf(KeyId id) {
        return rules.routes().policyOf(id);
    }

    /** What the bodies of all requests hold in memory. */
    BodyBudget bodies() {
        return bodies;
    }

    private AdminApi adminApi() {
        return new AdminApi(
                semel,
                () -> KnownOperations.of(rules.config().allRoutes()),
                this::policyOf,
                weakKeys,
                entry -> AUDIT.info("{}", entry));
    }

    /** Nothing is served from the class path, so Vert.x needs no folder in the temporary one that a kill leaves behind. */
    private static VertxOptions options() {
        return new VertxOptions()
                .setPreferNativeTransport(true)
                .setFileSystemOptions(new FileSystemOptions()
                        .setClassPathResolvingEnabled(false)
                        .setFileCachingEnabled(false));
    }

    /**
     * Starts a gateway and returns when it takes requests. The gateway owns the store from now on, and closes it.
     *
     * @throws IllegalStateException when an address cannot be listened on, or the store cannot keep what the routes
     *     promise or webhooks, or an encryption key is not the one it was
     */
    public static Gateway start(GatewayConfig config, KeyStore store) {
        String broken = GuaranteeCheck.broken(config, store);
        if (broken == null) broken = WebhooksSettings.flaw(config);
        if (broken != null) {
            store.close();
            throw new IllegalStateException(broken);
        }
        GatewayMetrics metrics = new GatewayMetrics();
        Gateway gateway = new Gateway(config, sealed(metrics.around(store), config.encryption()), metrics);
        try {
            gateway.open();
            return gateway;
        } catch (RuntimeException e) {
            gateway.close();
            throw e;
        }
    }

    private static KeyStore sealed(KeyStore store, @Nullable SealKeys keys) {
        try {
            if (keys != null) SealCheck.run(store, keys);
            else if (SealCheck.wasSealed(store))
                throw new IllegalStateException("Outcomes in this store are encrypted, and the configuration has no"
                        + " 'encryption'. Without it they could not be given back, and new ones would be stored in the"
                        + " clear. Give the section back with its keys; a key that is to be forgotten is left out of"
                        + " 'keys', beside the one that is active.");
            return new SealedKeyStore(store, keys == null ? SealKeys.NONE : keys);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private void open() {
        GatewayConfig config = rules.config();
        webhooks.open();
        port = sharedPort(config.listen());
        StrictConnections.limit(port, config.limits());
        DeploymentOptions perLoop = new DeploymentOptions()
                .setInstances(Math.max(1, Runtime.getRuntime().availableProcessors()));
        await(vertx.deployVerticle(this::listener, perLoop), "cannot listen on " + config.listen());
        await(admin.server().listen(), "cannot listen on " + config.admin().listen());
    }

    /** All event loops must listen on the same port, so when the system is to choose, it is asked once. */
    private static int sharedPort(HostPort listen) {
        if (listen.port() != 0) return listen.port();
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(listen.host()))) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException("cannot listen on " + listen + ": " + e.getMessage(), e);
        }
    }

    private ApiListener listener() {
        Guard guard = new Guard(semel, weakKeys);
        ApiListener listener = new ApiListener(vertx, rules, port, guard, inFlight, delivery, webhooks, metrics);
        listeners.add(listener);
        return listener;
    }

    /**
     * From now on, requests that come are handled by the routes, upstreams, tenants and certificates of this
     * configuration; those that are here keep to the rules they began with. Either all of it changes or nothing does.
     *
     * @return the settings that differ and stay as they were until the gateway is started again
     * @throws RuntimeException with the reason why nothing was changed
     */
    public synchronized List<String> reload(GatewayConfig next) {
        GatewayConfig changed = rules.config().withRulesOf(next);
        String broken = GuaranteeCheck.broken(changed, store);
        if (broken != null) throw new IllegalStateException(broken);
        Rules before = rules;
        Rules after = rules(changed);
        if (after.certificate() != null)
            for (ApiListener listener : listeners)
                await(listener.useCertificate(after.certificate()), "the certificate cannot be used");
        rules = after;
        webhooks.deliverTo(changed.upstream());
        List<Future<Void>> switched =
                listeners.stream().map(listener -> listener.use(after)).toList();
        for (Future<Void> done : switched) await(done, "a listener kept its old rules");
        before.retire();
        return RestartSettings.changed(started, next);
    }

    public int port() {
        return port;
    }

    public int adminPort() {
        return admin.server().actualPort();
    }

    /**
     * Stops taking requests, finishes those that run, records what is left to record, then closes the store. All of
     * that has one period of grace; the log then names the keys that are left unsettled.
     */
    @Override
    public void close() {
        close(SHUTDOWN_GRACE);
    }

    void close(Duration grace) {
        long deadline = System.nanoTime() + grace.toNanos();
        admin.stopping();
        health.close();
        // All at once: while one listener waits for its requests, no other may accept more.
        List<Future<Void>> shut =
                listeners.stream().map(listener -> listener.shutDown(grace)).toList();
        for (Future<Void> done : shut) quietly(done, "close a listener");
        if (!inFlight.drain(until(deadline))) LOG.warn("Requests were still running after {}.", grace);
        webhooks.close(until(deadline));
        listeners.forEach(ApiListener::closeUpstreams);
        if (port != 0) StrictConnections.forget(port);
        semel.close(until(deadline));
        rules.close();
        quietly(vertx.close(), "close the event loops");
        store.close();
        metrics.close();
    }

    private static Duration until(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    private static <T> T await(Future<T> future, String failure) {
        try {
            return future.await(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(failure + ": " + e.getMessage(), e);
        }
    }

    private static void quietly(Future<?> future, String what) {
        try {
            future.await(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            LOG.warn("Could not {}: {}", what, e.getMessage());
        }
    }

    private static void warn(WeakKeys.Finding finding) {
        LOG.warn(
                "Weak keys on {}: {}, such as {}. Two operations may come to share one; clients should send a UUID.",
                finding.route(),
                switch (finding.kind()) {
                    case SHORT -> "too short";
                    case TIME -> "only a time";
                    case SEQUENTIAL -> "one number after the other";
                },
                finding.shape());
    }
}
