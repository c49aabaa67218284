package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.testkit.HandClock;
import dev.semel.testkit.http.ContractRoutes;
import dev.semel.testkit.http.HttpContract;
import dev.semel.testkit.http.ScriptedUpstream;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class GatewayHttpContractTest extends HttpContract {
    private final HandClock clock = new HandClock();
    private ScriptedUpstream upstream;
    private Gateway gateway;

    @BeforeAll
    void start() throws Exception {
        upstream = ScriptedUpstream.start();
        StringBuilder yaml = new StringBuilder(
                "listen: 127.0.0.1:0\nadmin: { listen: 127.0.0.1:0 }\nupstream: { url: http://127.0.0.1:"
                        + upstream.port() + " }\nroutes:\n");
        for (ContractRoutes.Route route : ContractRoutes.of(upstream)) {
            yaml.append("  - match: \"").append(route.match()).append("\"\n");
            route.settings()
                    .forEach((name, value) -> yaml.append("    ")
                            .append(name)
                            .append(": ")
                            .append(value)
                            .append("\n"));
        }
        ConfigReader.Result read = ConfigReader.read(yaml.toString(), "contract.yaml", name -> null, null);
        gateway = Gateway.start(
                assertInstanceOf(ConfigReader.Result.Valid.class, read, read::toString)
                        .config(),
                new InMemoryKeyStore(clock));
    }

    @AfterAll
    void stop() throws Exception {
        if (gateway != null) gateway.close();
        if (upstream != null) upstream.close();
    }

    @Override
    protected InetSocketAddress front() {
        return new InetSocketAddress("127.0.0.1", gateway.port());
    }

    @Override
    protected ScriptedUpstream upstream() {
        return upstream;
    }

    @Override
    protected void pass(Duration time) {
        clock.advance(time);
    }
}
