package dev.semel.torture.fuzz;

import dev.semel.testkit.http.RawHttp;
import dev.semel.testkit.http.Received;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Sends one case to the gateway, and checks what comes back. Safe for use by any thread. */
final class FuzzClient {
    /** More than the gateway gives anyone for a head, a body, and saying nothing. */
    static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final InetSocketAddress address;
    private final Tally tally;
    private final Violations violations;

    FuzzClient(InetSocketAddress address, Tally tally, Violations violations) {
        this.address = address;
        this.tally = tally;
        this.violations = violations;
    }

    void send(int index, FuzzCase it) {
        try (RawHttp connection = RawHttp.connect(address, TIMEOUT)) {
            if (it.pieceSize() == 0) connection.send(it.bytes());
            else connection.sendInPieces(it.bytes(), it.pieceSize());
            finish(index, it, connection);
        } catch (IOException e) {
            tally.count("connection failed");
            violations.add(index, "no connection", e.toString());
        } catch (AssertionError e) {
            tally.count("not answered");
            violations.add(index, "no proper answer", String.valueOf(e.getMessage()));
        }
    }

    private void finish(int index, FuzzCase it, RawHttp connection) throws IOException {
        switch (it.ending()) {
            case HANG_UP -> connection.hangUp();
            case RESET -> connection.reset();
            case UNTIL_CLOSED -> {
                if (!connection.isEnded()) violations.add(index, "hang", "still open after " + TIMEOUT);
            }
            case HALF_CLOSE -> {
                connection.endSending();
                read(index, it, connection);
                return;
            }
            case READ -> {
                read(index, it, connection);
                return;
            }
        }
        tally.count(it.ending().toString());
    }

    private void read(int index, FuzzCase it, RawHttp connection) throws IOException {
        String sent = new String(it.bytes(), StandardCharsets.ISO_8859_1);
        String method = sent.stripLeading().startsWith("HEAD ") ? "HEAD" : "GET";
        // An answer to HEAD has no body, and in a pipeline nobody can tell which one that is.
        int answers = sent.contains("HEAD ") ? 1 : it.answers();
        for (int i = 0; i < answers; i++) {
            switch (connection.receive(method)) {
                case Received.Response response -> check(index, response);
                case Received.CutOff cutOff -> {
                    tally.count(cutOff.count() == 0 ? "closed" : "cut off");
                    return;
                }
            }
        }
    }

    private void check(int index, Received.Response response) {
        tally.count("answered " + response.status());
        boolean refusal = response.status() == 501 || response.status() == 505;
        if (response.status() >= 500 && !refusal) violations.add(index, "server error", response.toString());
    }
}
