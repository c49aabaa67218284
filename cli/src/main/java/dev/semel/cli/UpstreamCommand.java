package dev.semel.cli;

import dev.semel.examples.demo.CtrlC;
import dev.semel.examples.payments.Charge;
import dev.semel.examples.payments.Ledger;
import dev.semel.examples.payments.PaymentService;
import dev.semel.examples.payments.ServiceBehaviour;
import dev.semel.gateway.config.HostPort;
import dev.semel.http.DurationText;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "upstream",
        description = "Runs a toy payment service to try the gateway with, until it is stopped.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "POST /v1/charges makes a charge, every time it is asked to, whatever the key:",
            "  {\"amount\": 1000, \"currency\": \"eur\", \"customer\": \"c_1\"}    (in cents; 4002 is always declined)",
            "GET /v1/charges lists the charges; GET /v1/charges?idempotency_key=K those of a key, or 404.",
            "It prints one line per charge."
        })
final class UpstreamCommand implements Callable<Integer> {
    @Option(names = "--listen", paramLabel = "HOST:PORT", description = "where it listens (default: 127.0.0.1:9000)")
    private String listen = "127.0.0.1:9000";

    @Option(
            names = "--slow",
            paramLabel = "TIME",
            description = "how long a charge takes, such as 2s; it is made half-way (default: 0s)")
    private String slow = "0s";

    @Option(
            names = "--lose",
            paramLabel = "SHARE",
            description = "charge, but never answer this share of requests, such as 0.1 (default: 0)")
    private double lose;

    @Option(
            names = "--ledger",
            paramLabel = "DIR",
            description = "keep the charges in this folder (default: in memory)")
    private @Nullable Path folder;

    @Override
    public Integer call() throws Exception {
        HostPort address = value(() -> HostPort.parse(listen));
        ServiceBehaviour behaviour = value(() -> new ServiceBehaviour(DurationText.parse(slow), lose));
        return CtrlC.<Integer, Exception>interrupts(() -> run(address, behaviour));
    }

    private static <T> T value(Callable<T> reading) throws Exception {
        try {
            return reading.call();
        } catch (IllegalArgumentException e) {
            throw new UsageProblem(String.valueOf(e.getMessage()));
        }
    }

    private int run(HostPort address, ServiceBehaviour behaviour) throws IOException {
        try (Ledger ledger = folder == null ? Ledger.inMemory() : Ledger.in(folder);
                PaymentService service = start(address, ledger, behaviour)) {
            System.out.printf("A payment service listens on http://%s:%d%n", address.host(), service.port());
            new CountDownLatch(1).await();
        } catch (InterruptedException stopped) {
            // Ctrl-C: the way to end it.
        }
        return 0;
    }

    private static PaymentService start(HostPort address, Ledger ledger, ServiceBehaviour behaviour)
            throws IOException {
        InetSocketAddress socket = new InetSocketAddress(address.host(), address.port());
        try {
            return PaymentService.start(socket, ledger, behaviour, charge -> print(charge, ledger));
        } catch (BindException e) {
            throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
    }

    private static void print(Charge charge, Ledger ledger) {
        String key = charge.idempotencyKey();
        int times = key == null ? 1 : ledger.withKey(key).size();
        System.out.printf(
                Locale.ROOT,
                "charged %.2f %s to %s, %s%s%n",
                charge.amount() / 100.0,
                charge.currency(),
                charge.customer(),
                key == null ? "without a key" : "key " + key,
                times == 1 ? "" : ": charge number " + times + " under this key");
    }
}
