package dev.semel.gateway;

import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.gateway.wire.UpstreamConnections;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One upstream: its addresses, used in turn, over a pool of kept connections. One instance per event loop. */
final class UpstreamTarget {
    private static final int MOST_CONNECTIONS = 1024;
    private static final int MOST_QUEUED = 10_000;

    /** Shorter than what servers commonly allow, so that a request seldom meets a connection just being closed. */
    private static final int KEEP_IDLE_SECONDS = 15;

    /** A stream may take its time. */
    private static final Duration LONGEST_EXCHANGE = Duration.ofDays(1);

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamTarget.class);

    private final HttpClientAgent client;
    private final List<URI> urls;
    private final Duration timeout;
    private final AtomicInteger turn;
    private final List<Completable<? super HttpClientRequest>> watches;

    /**
     * @param turn whose turn it is among the addresses, for all event loops together
     * @param watch who is told of each attempt to connect to an address
     */
    UpstreamTarget(
            Vertx vertx,
            UpstreamSettings settings,
            AtomicInteger turn,
            Function<URI, Completable<? super HttpClientRequest>> watch) {
        this.turn = turn;
        this.urls = settings.urls();
        this.watches =
                urls.stream().<Completable<? super HttpClientRequest>>map(watch).toList();
        this.timeout = settings.timeout();
        HttpClientOptions options = new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_1_1)
                .setKeepAlive(true)
                .setPipelining(false)
                .setKeepAliveTimeout(KEEP_IDLE_SECONDS)
                .setDecompressionSupported(false)
                .setMaxHeaderSize(64 * 1024)
                .setMaxInitialLineLength(16 * 1024)
                .setVerifyHost(settings.verifyHost())
                .setConnectTimeout((int) settings.connectTimeout().toMillis());
        if (settings.trust() != null)
            options.setTrustOptions(
                    new PemTrustOptions().addCertPath(settings.trust().toString()));
        this.client = vertx.httpClientBuilder()
                .with(options)
                .with(new PoolOptions().setHttp1MaxSize(MOST_CONNECTIONS).setMaxWaitQueueSize(MOST_QUEUED))
                .withConnectHandler(UpstreamConnections::watch)
                .build();
    }

    Duration timeout() {
        return timeout;
    }

    /** A request on a live connection, of which nothing has been sent yet. Called on the event loop. */
    Future<HttpClientRequest> open(String method, String target) {
        return open(method, target, turn.getAndIncrement(), urls.size());
    }

    /** Where there is no connection nothing was sent, so the next address may be tried. */
    private Future<HttpClientRequest> open(String method, String target, int at, int left) {
        int which = Math.floorMod(at, urls.size());
        Future<HttpClientRequest> opened = open(method, target, urls.get(which)).onComplete(watches.get(which));
        return left == 1 ? opened : opened.recover(failure -> open(method, target, at + 1, left - 1));
    }

    private Future<HttpClientRequest> open(String method, String target, URI url) {
        boolean tls = "https".equals(url.getScheme());
        return client.request(new RequestOptions()
                .setMethod(HttpMethod.valueOf(method))
                .setHost(url.getHost())
                .setPort(url.getPort() >= 0 ? url.getPort() : tls ? 443 : 80)
                .setSsl(tls)
                .setURI(prefix(url) + target));
    }

    private static String prefix(URI url) {
        String path = url.getRawPath();
        if (path == null || path.isEmpty()) return "";
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** Opens nothing more. Exchanges that are under way end by themselves. */
    void finish() {
        client.shutdown(LONGEST_EXCHANGE.toSeconds(), TimeUnit.SECONDS)
                .onComplete(closed -> LOG.debug("The connections to {} are closed.", urls));
    }

    void close() {
        client.close();
    }
}
