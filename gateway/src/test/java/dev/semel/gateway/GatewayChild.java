package dev.semel.gateway;

import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.HostPort;
import dev.semel.gateway.config.UpstreamSettings;
import java.net.URI;

/** A gateway as a process of its own, for tests that look at what it leaves behind. Says so when it listens. */
final class GatewayChild {
    static final String LISTENING = "listening";

    private GatewayChild() {}

    public static void main(String[] args) throws Exception {
        HostPort anywhere = new HostPort("127.0.0.1", 0);
        GatewayConfig config = GatewayConfig.of(UpstreamSettings.of(URI.create("http://127.0.0.1:9")))
                .withListen(anywhere)
                .withAdmin(anywhere);
        Gateway.start(config, StoreUrls.open(args[0]));
        System.out.println(LISTENING);
    }
}
