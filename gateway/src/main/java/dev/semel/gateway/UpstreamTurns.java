package dev.semel.gateway;

import dev.semel.gateway.config.UpstreamSettings;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Whose turn it is among the addresses of each upstream. Shared by all event loops. */
final class UpstreamTurns {
    private final Map<UpstreamSettings, AtomicInteger> turns = new ConcurrentHashMap<>();

    AtomicInteger of(UpstreamSettings upstream) {
        return turns.computeIfAbsent(upstream, first -> new AtomicInteger());
    }
}
