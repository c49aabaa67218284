package dev.semel.examples.payments;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * A small payment API over HTTP:
 *
 * <pre>
 * POST /v1/charges {"amount": 1999, "currency": "eur", "customer": "c_1"}   201 and the charge
 * GET  /v1/charges?idempotency_key=K                                        200 and what was charged under K, or 404
 * GET  /v1/charges                                                          200 and the latest charges
 * GET  /healthz                                                             200
 * </pre>
 *
 * It is honest and simple-minded: it charges <em>every time</em> it is asked to, the same key or not. The amount 4002
 * is always declined (402).
 */
public final class PaymentService implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(PaymentService.class.getName());
    private static final int BACKLOG = 1024;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Charges charges;

    private PaymentService(HttpServer server, Charges charges) {
        this.server = server;
        this.charges = charges;
    }

    /**
     * Starts the service on the loopback address, with good manners. The ledger stays the caller's to close.
     *
     * @param port 0 for any free one
     */
    public static PaymentService start(int port, Ledger ledger) throws IOException {
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        return start(new InetSocketAddress(loopback, port), ledger, ServiceBehaviour.GOOD, charge -> {});
    }

    /**
     * Starts the service anywhere. The ledger stays the caller's to close.
     *
     * @param made is given every charge when it is in the ledger, by the thread that answers
     */
    public static PaymentService start(
            InetSocketAddress address, Ledger ledger, ServiceBehaviour behaviour, Consumer<Charge> made)
            throws IOException {
        HttpServer server = HttpServer.create(address, BACKLOG);
        PaymentService service = new PaymentService(server, new Charges(ledger, behaviour, made));
        server.setExecutor(service.threads);
        server.createContext("/", service::handle);
        server.start();
        return service;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public URI url() {
        return URI.create("http://" + server.getAddress().getAddress().getHostAddress() + ":" + port());
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = answer(exchange);
            if (answer.status() != Answer.NONE) send(exchange, answer);
        }
    }

    private Answer answer(HttpExchange exchange) throws IOException {
        try {
            return switch (exchange.getRequestURI().getPath()) {
                case "/v1/charges" -> charges.answer(exchange);
                case "/healthz" -> new Answer(200, "{\"status\":\"ok\"}");
                default -> Answer.error(404, "not_found", "There is nothing at this address.");
            };
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "A request failed", e);
            return Answer.error(500, "internal", "The service failed; the charge may have been made.");
        }
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        if (answer.status() == 405) exchange.getResponseHeaders().set("Allow", "GET, POST");
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(answer.status(), answer.body().length);
        exchange.getResponseBody().write(answer.body());
    }

    /** Stops at once: requests that are being answered are broken off. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        threads.close();
    }
}
