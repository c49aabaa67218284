package dev.semel.gateway;

import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.gateway.metrics.GatewayMetrics;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Whose turn it is among the addresses of each upstream, and which can be reached. Shared by all event loops. */
final class UpstreamAddresses {
    private final Map<UpstreamSettings, AtomicInteger> turns = new ConcurrentHashMap<>();
    private final Map<String, UpstreamReachability> reachabilities = new ConcurrentHashMap<>();
    private final GatewayMetrics metrics;

    UpstreamAddresses(GatewayMetrics metrics) {
        this.metrics = metrics;
    }

    AtomicInteger turnOf(UpstreamSettings upstream) {
        return turns.computeIfAbsent(upstream, first -> new AtomicInteger());
    }

    UpstreamReachability reachability(URI url) {
        String address = url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
        return reachabilities.computeIfAbsent(address, first -> {
            UpstreamReachability reachability = new UpstreamReachability(first, System::nanoTime);
            metrics.upstream(first, reachability::isReachable);
            return reachability;
        });
    }
}
