package dev.semel.broker.webhook.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of a host. Asked once for each request; its answer is what is connected to. */
@FunctionalInterface
public interface NameLookup {
    NameLookup SYSTEM = host -> List.of(InetAddress.getAllByName(host));

    List<InetAddress> addresses(String host) throws UnknownHostException;
}
