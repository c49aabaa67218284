package dev.semel.torture.messages;

import dev.semel.messaging.relay.RelaySettings;
import dev.semel.relay.RelayServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A relay as a process, as {@code semel relay} is one, but for its lease and shorter pauses. Arguments: store, broker, name, milliseconds of a lease. */
public final class RelayChild {
    private RelayChild() {}

    public static void main(String[] args) throws Exception {
        RelaySettings settings = RelaySettings.DEFAULT
                .withLease(Duration.ofMillis(Long.parseLong(args[3])))
                .withPauses(Duration.ofMillis(50), Duration.ofMillis(500));
        InetSocketAddress admin = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        RelayServer server =
                RelayServer.start(new RelayServer.Options(args[0], args[1], "/torture", args[2], admin, settings));
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        Thread.currentThread().join();
    }
}
