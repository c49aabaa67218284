package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.examples.payments.Ledger;
import dev.semel.examples.payments.PaymentService;
import dev.semel.examples.service.ServiceExample;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.HostPort;
import dev.semel.gateway.config.UpstreamSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of the service API, run as a user would, against a real gateway and a service that charges every time. */
class ServiceExamplesTest {
    private static final Path EXAMPLES = Path.of(System.getProperty("semel.root", ".."), "examples");
    private static final Path NODE = EXAMPLES.resolve("node").resolve("once.mjs");
    private static final Path PYTHON = EXAMPLES.resolve("python").resolve("once.py");

    private final Ledger ledger = Ledger.inMemory();
    private final List<Process> started = new ArrayList<>();
    private PaymentService payments;
    private Gateway gateway;

    @BeforeAll
    static void findTools() throws Exception {
        Tools.require("node", "python3");
    }

    @BeforeEach
    void start() throws Exception {
        payments = PaymentService.start(0, ledger);
        HostPort anywhere = new HostPort("127.0.0.1", 0);
        UpstreamSettings upstream = new UpstreamSettings(
                List.of(payments.url()), Duration.ofSeconds(5), Duration.ofSeconds(10), null, true);
        GatewayConfig config = GatewayConfig.of(upstream)
                .withListen(anywhere)
                .withAdmin(anywhere)
                .acceptingLostKeys();
        gateway = Gateway.start(config, new InMemoryKeyStore());
    }

    @AfterEach
    void stop() {
        started.forEach(Process::destroyForcibly);
        if (gateway != null) gateway.close();
        if (payments != null) payments.close();
    }

    private URI semel() {
        return URI.create("http://127.0.0.1:" + gateway.port());
    }

    @Test
    void the_java_example_charges_once() throws Exception {
        String first = ServiceExample.charge(semel(), payments.url(), "invoice-1", 1999);
        assertTrue(first.startsWith("{\"status\":201,\"charge\":{"), first);
        assertEquals(first, ServiceExample.charge(semel(), payments.url(), "invoice-1", 1999));
        assertEquals(1, ledger.size());
        assertNotEquals(first, ServiceExample.charge(semel(), payments.url(), "invoice-2", 1999));
        assertEquals(2, ledger.size());
    }

    @Test
    void the_node_example_charges_once() throws Exception {
        String first = ended(node("invoice-1", 1999), 0);
        assertTrue(first.startsWith("{\"status\":201,\"charge\":{"), first);
        assertEquals(first, ended(node("invoice-1", 1999), 0));
        assertEquals(1, ledger.size());
    }

    @Test
    void a_node_process_that_reuses_a_key_is_told_so() throws Exception {
        ended(node("invoice-1", 1999), 0);
        String refused = ended(node("invoice-1", 2999), 1);
        assertTrue(refused.contains("another payload"), refused);
        assertEquals(1, ledger.size());
    }

    @Test
    void many_processes_at_once_charge_once() throws Exception {
        List<Process> crowd = new ArrayList<>();
        for (int i = 0; i < 4; i++) crowd.add(node("invoice-1", 1999));
        Set<String> outcomes = new HashSet<>();
        for (Process process : crowd) outcomes.add(ended(process, 0));
        assertEquals(1, outcomes.size(), outcomes.toString());
        assertEquals(1, ledger.size());
    }

    @Test
    void one_language_gets_the_outcome_of_the_other() throws Exception {
        String charged = ServiceExample.charge(semel(), payments.url(), "invoice-1", 1999);
        assertEquals(charged, ended(node("invoice-1", 1999), 0));
        assertEquals(1, ledger.size());
    }

    @Test
    void the_python_example_charges_once_and_tells_what_it_could_not_do() throws Exception {
        String charged = ended(python("invoice-1", 1999, payments.url()), 0);
        assertTrue(charged.startsWith("{\"status\":201,\"charge\":{"), charged);
        assertEquals(charged, ended(python("invoice-1", 1999, payments.url()), 0));
        assertEquals(charged, ended(node("invoice-1", 1999), 0));
        String reused = ended(python("invoice-1", 2999, payments.url()), 1);
        assertTrue(reused.contains("NotRun") && reused.contains("another payload"), reused);
        URI nobody = URI.create("http://127.0.0.1:1");
        for (int attempt = 1; attempt <= 2; attempt++) {
            String unknown = ended(python("invoice-2", 1999, nobody), 1);
            assertTrue(unknown.contains("OutcomeUnknown"), unknown);
        }
        assertEquals(1, ledger.size());
    }

    private Process node(String key, long amount) {
        return start(payments.url(), "node", NODE.toString(), key, Long.toString(amount));
    }

    private Process python(String key, long amount, URI payments) {
        return start(payments, "python3", PYTHON.toString(), key, Long.toString(amount));
    }

    private Process start(URI payments, String... command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("SEMEL_URL", semel().toString());
        builder.environment().put("PAYMENTS_URL", payments.toString());
        builder.environment().put("no_proxy", "127.0.0.1");
        try {
            Process process = builder.redirectErrorStream(true).start();
            started.add(process);
            return process;
        } catch (IOException e) {
            throw new AssertionError("run scripts/tools.sh " + command[0], e);
        }
    }

    private static String ended(Process process, int status) throws Exception {
        String printed = new String(process.getInputStream().readAllBytes()).strip();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS), "still running");
        assertEquals(status, process.exitValue(), printed);
        return printed;
    }
}
