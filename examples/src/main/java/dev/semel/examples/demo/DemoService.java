package dev.semel.examples.demo;

import dev.semel.examples.payments.Ledger;
import dev.semel.examples.payments.PaymentService;
import dev.semel.examples.payments.ServiceBehaviour;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The payment service of one side, which can crash: its connections break, what it was working on is lost, and what is
 * in its ledger stays. It keeps its port. Safe for use by many threads.
 */
public final class DemoService implements AutoCloseable {
    /** A bank takes its time, so that there is something to break off. */
    private static final ServiceBehaviour SLOW = new ServiceBehaviour(Duration.ofMillis(300), 0);

    /** In memory: a crash here is not one of the process, and the ledger must not be what the demo waits for. */
    private final Ledger ledger = Ledger.inMemory();

    private final int port;
    private @Nullable PaymentService service;

    private DemoService(int port) throws IOException {
        this.service = start(port);
        this.port = service.port();
    }

    /** @param port 0 for any free one */
    public static DemoService on(int port) throws IOException {
        return new DemoService(port);
    }

    private PaymentService start(int anyPort) throws IOException {
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        return PaymentService.start(new InetSocketAddress(loopback, anyPort), ledger, SLOW, charge -> {});
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + port);
    }

    Ledger ledger() {
        return ledger;
    }

    synchronized boolean isUp() {
        return service != null;
    }

    synchronized void crash() {
        if (service != null) service.close();
        service = null;
    }

    synchronized void restart() throws IOException {
        if (service == null) service = start(port);
    }

    @Override
    public synchronized void close() throws IOException {
        crash();
        ledger.close();
    }
}
