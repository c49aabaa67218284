package dev.semel.gateway;

import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.gateway.metrics.GatewayMetrics;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Whose turn it is among the addresses of each upstream, and which can be reached. Shared by all event loops. */
final class UpstreamTurns {
    private final Map<UpstreamSettings, AtomicInteger> turns = new ConcurrentHashMap<>();
    private final Map<String, UpstreamReach> reaches = new ConcurrentHashMap<>();
    private final GatewayMetrics metrics;

    UpstreamTurns(GatewayMetrics metrics) {
        this.metrics = metrics;
    }

    AtomicInteger of(UpstreamSettings upstream) {
        return turns.computeIfAbsent(upstream, first -> new AtomicInteger());
    }

    UpstreamReach reach(URI url) {
        String address = url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
        return reaches.computeIfAbsent(address, first -> {
            UpstreamReach reach = new UpstreamReach(first, System::nanoTime);
            metrics.upstream(first, reach::isReachable);
            return reach;
        });
    }
}
