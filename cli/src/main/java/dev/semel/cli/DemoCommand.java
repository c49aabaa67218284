package dev.semel.cli;

import dev.semel.examples.demo.CtrlC;
import dev.semel.examples.demo.Demo;
import dev.semel.examples.demo.DemoService;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "demo",
        description = "Shows it: the same customers on the same bad network pay with Semel and without.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "In a terminal, keys break things: k kills the gateway (kill -9), p crashes the payment services, l loses"
                    + " all",
            "answers for 3 seconds, q ends the demo. Without a terminal and with --seconds, the gateway is killed"
                    + " half-way.",
            "Exit code 1: with Semel, a payment was charged twice, or answered as paid and not charged."
        })
final class DemoCommand implements Callable<Integer> {
    @Option(names = "--seconds", paramLabel = "N", description = "end by itself after so long (default: on Ctrl-C)")
    private @Nullable Integer seconds;

    @Option(names = "--seed", paramLabel = "N", description = "the same payments and bad luck again (default: fresh)")
    private @Nullable Long seed;

    @Override
    public Integer call() throws Exception {
        return CtrlC.<Integer, Exception>interrupts(this::run);
    }

    private Integer run() throws Exception {
        Duration duration = seconds == null ? Demo.UNTIL_INTERRUPTED : Duration.ofSeconds(seconds);
        long chosenSeed = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed;
        System.out.println("Starting a gateway, a payment service and its twin ...");
        try (TemporaryFolder temporary = TemporaryFolder.create("semel-demo");
                DemoService service = DemoService.on(DemoPorts.near(9000));
                DemoService twin = DemoService.on(DemoPorts.near(9001));
                KillableGateway gateway = KillableGateway.start(
                        temporary.path(), DemoPorts.near(8080), DemoPorts.near(8081), service.url())) {
            Demo.Participants participants = new Demo.Participants(gateway, service, twin);
            return Demo.run(participants, duration, chosenSeed, System.out).isExactlyOnce() ? 0 : 1;
        } catch (InterruptedException early) {
            return 0;
        }
    }
}
