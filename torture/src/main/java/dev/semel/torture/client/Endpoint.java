package dev.semel.torture.client;

import java.net.InetSocketAddress;

/** A way to a gateway, and its name. */
public record Endpoint(String gateway, InetSocketAddress address) {}
