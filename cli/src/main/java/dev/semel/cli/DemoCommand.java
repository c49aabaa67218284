package dev.semel.cli;

import dev.semel.examples.demo.CtrlC;
import dev.semel.examples.demo.Demo;
import dev.semel.examples.demo.Summary;
import dev.semel.examples.payments.Ledger;
import dev.semel.examples.payments.PaymentService;
import dev.semel.gateway.Gateway;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.HostPort;
import dev.semel.gateway.config.UpstreamSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "demo",
        description = "Shows it: a payment service, the gateway in front of it, and customers on a bad network.",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    @Option(names = "--seconds", paramLabel = "N", description = "end by itself after so long (default: on Ctrl-C)")
    private @Nullable Integer seconds;

    @Option(names = "--seed", paramLabel = "N", description = "the same bad luck again (default: fresh)")
    private @Nullable Long seed;

    @Override
    public Integer call() throws Exception {
        return CtrlC.<Integer, Exception>interrupts(this::run);
    }

    private Integer run() throws Exception {
        try (TemporaryFolder temporary = TemporaryFolder.create("semel-demo");
                Ledger ledger = Ledger.in(temporary.path().resolve("ledger"));
                PaymentService payments = PaymentService.start(0, ledger);
                Gateway gateway = Gateway.start(
                        config(payments),
                        StoreUrls.open("rocksdb:" + temporary.path().resolve("keys")))) {
            Duration duration = seconds == null ? Demo.UNTIL_INTERRUPTED : Duration.ofSeconds(seconds);
            long luck = seed == null ? ThreadLocalRandom.current().nextLong() : seed;
            Summary summary =
                    Demo.run(URI.create("http://127.0.0.1:" + gateway.port()), ledger, duration, luck, System.out);
            return summary.isExactlyOnce() ? 0 : 1;
        }
    }

    private static GatewayConfig config(PaymentService payments) {
        HostPort anywhere = new HostPort("127.0.0.1", 0);
        UpstreamSettings upstream = new UpstreamSettings(
                List.of(payments.url()),
                UpstreamSettings.DEFAULT_CONNECT_TIMEOUT,
                UpstreamSettings.DEFAULT_TIMEOUT,
                null,
                true);
        return GatewayConfig.of(upstream).withListen(anywhere).withAdmin(anywhere);
    }
}
