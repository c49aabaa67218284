package dev.semel.torture.client;

import java.net.InetSocketAddress;

/** A way to a gateway, or to a service with the library, and its name. */
public record Endpoint(Door door, String gateway, InetSocketAddress address) {}
