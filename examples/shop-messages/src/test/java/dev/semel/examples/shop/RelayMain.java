package dev.semel.examples.shop;

import dev.semel.messaging.relay.RelaySettings;
import dev.semel.relay.RelayServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A relay as a process, whose leases end soon: the next one need not wait for long. */
final class RelayMain {
    private RelayMain() {}

    /** @param arguments the database of the outbox, the broker, and the port of its listener for operators */
    public static void main(String[] arguments) throws Exception {
        InetSocketAddress admin =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[2]));
        String quick = "?max.block.ms=1000&request.timeout.ms=900&delivery.timeout.ms=2000";
        RelayServer.start(new RelayServer.Options(
                arguments[0],
                arguments[1] + quick,
                "/shop",
                "relay",
                admin,
                RelaySettings.DEFAULT.withLease(Duration.ofSeconds(9))));
        new CountDownLatch(1).await();
    }
}
