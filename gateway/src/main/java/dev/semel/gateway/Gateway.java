package dev.semel.gateway;

import dev.semel.admin.AdminApi;
import dev.semel.core.Purger;
import dev.semel.core.Quotas;
import dev.semel.core.Semel;
import dev.semel.core.SemelEvent;
import dev.semel.core.seal.SealCheck;
import dev.semel.core.seal.SealKeys;
import dev.semel.core.seal.SealedKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.HostPort;
import dev.semel.gateway.wire.StrictConnections;
import dev.semel.http.Guard;
import dev.semel.http.KeyStatus;
import dev.semel.http.PublishedPolicy;
import dev.semel.http.key.WeakKeys;
import dev.semel.http.service.ServiceApi;
import dev.semel.http.tenant.TenantRule;
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
    private static final Duration PURGE_EVERY = Duration.ofMinutes(1);
    private static final Duration SHUTDOWN_PATIENCE = Duration.ofSeconds(30);

    static {
        StrictConnections.enable();
    }

    private final Vertx vertx;
    private final KeyStore store;
    private final Semel semel;
    private final Purger purger;
    private final InFlight inFlight = new InFlight();
    private final UpstreamTurns turns = new UpstreamTurns();
    private final AdminListener admin;
    private final List<Door> doors = new CopyOnWriteArrayList<>();
    private final GatewayConfig config;
    private final OwnResources own;
    private final Routes routes;
    private final TenantRule tenants;
    private final WeakKeys weakKeys = new WeakKeys(InstantSource.system(), Gateway::warn);
    private int port;

    private Gateway(GatewayConfig config, KeyStore store) {
        this.config = config;
        this.store = store;
        this.vertx = Vertx.vertx(options());
        this.routes = new Routes(vertx, config);
        this.semel = Semel.on(store)
                .listener(Gateway::log)
                .policies(routes::policyOf)
                .quotas(config.tenant() == null ? Quotas.NONE : config.tenant().quotas())
                .start();
        this.tenants = Tenants.of(config.tenant(), semel);
        this.purger = Purger.start(store, PURGE_EVERY, Gateway::log, semel::seeTo);
        this.admin = new AdminListener(vertx, store, adminApi(), inFlight, config.admin());
        PublishedPolicy published = new PublishedPolicy(routes.all().stream()
                .map(route -> new PublishedPolicy.Route(route.pattern(), route.policy()))
                .toList());
        this.own = new OwnResources(
                vertx,
                published,
                new KeyStatus(semel),
                new ServiceApi(semel),
                inFlight,
                tenants,
                config.limits().bodyTime());
    }

    private AdminApi adminApi() {
        return new AdminApi(
                semel,
                KnownOperations.of(config.allRoutes()),
                routes::policyOf,
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
     *     promise, or an encryption key is not the one it was
     */
    public static Gateway start(GatewayConfig config, KeyStore store) {
        String broken = Promises.broken(config, store);
        if (broken != null) {
            store.close();
            throw new IllegalStateException(broken);
        }
        Gateway gateway = new Gateway(config, sealed(store, config.encryption()));
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
        // The first count may walk over the whole store: better now than while the first clients wait.
        if (config.tenant() != null && config.tenant().quotas().keys() < Long.MAX_VALUE) store.count("any", 1);
        port = sharedPort(config.listen());
        StrictConnections.limit(port, config.limits());
        DeploymentOptions perLoop = new DeploymentOptions()
                .setInstances(Math.max(1, Runtime.getRuntime().availableProcessors()));
        await(vertx.deployVerticle(this::door, perLoop), "cannot listen on " + config.listen());
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

    private Door door() {
        Guard guard = new Guard(semel, weakKeys);
        Door door = new Door(vertx, config, port, routes.all(), guard, own, inFlight, tenants, turns);
        doors.add(door);
        return door;
    }

    public int port() {
        return port;
    }

    public int adminPort() {
        return admin.server().actualPort();
    }

    /** Stops taking requests, finishes those that run, records what is left to record, then closes the store. */
    @Override
    public void close() {
        admin.stopping();
        // All at once: while one door waits for what came through it, no other may let more in.
        List<Future<Void>> shut =
                doors.stream().map(door -> door.shut(SHUTDOWN_PATIENCE)).toList();
        for (Future<Void> door : shut) quietly(door, "close a listener");
        if (!inFlight.drain(SHUTDOWN_PATIENCE))
            LOG.warn("Requests were still running after {}; their keys end in doubt.", SHUTDOWN_PATIENCE);
        doors.forEach(Door::disconnect);
        if (port != 0) StrictConnections.forget(port);
        purger.close();
        semel.close();
        routes.close();
        quietly(vertx.close(), "close the event loops");
        store.close();
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

    private static void log(SemelEvent event) {
        switch (event) {
            case SemelEvent.BackgroundTaskFailed it ->
                LOG.warn("Could not {}: {}", it.task(), it.cause().getMessage());
            case SemelEvent.RenewalFailed it ->
                LOG.warn("A lease could not be renewed: {}", it.cause().getMessage());
            case SemelEvent.LeaseLost it ->
                LOG.warn("A lease was lost while its operation ran: {}", it.id().operation());
            case SemelEvent.DoubtResolved it -> {} // in the audit log
            case SemelEvent.FellIntoDoubt it ->
                LOG.warn("An operation is in doubt: {}", it.record().id().operation());
            case SemelEvent.Probed it -> {}
            case SemelEvent.Claimed it -> {}
            case SemelEvent.LeaseSettled it -> {}
        }
    }
}
