package dev.semel.testkit.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real HTTP/1.1 server on 127.0.0.1 whose behaviour is chosen by the second segment of the path ({@link Behaviours});
 * the first one is left to the routes of whatever stands in front. It counts effects and remembers every request.
 *
 * <p>It has two ports. The front door is always open. The back door is shut until a test opens it: its port is taken but
 * refuses connections, like a server that is down. Safe for use by any thread.
 */
public final class ScriptedUpstream implements AutoCloseable {
    private final Ledger ledger = new Ledger();
    private final Gates gates = new Gates();
    private final AtomicInteger numbers = new AtomicInteger();
    private final Door front;
    private final Door back;

    private ScriptedUpstream() throws IOException {
        front = new Door(socket -> serve(socket, false));
        back = new Door(socket -> serve(socket, true));
        front.open();
    }

    public static ScriptedUpstream start() throws IOException {
        return new ScriptedUpstream();
    }

    public int port() {
        return front.port();
    }

    public int backDoorPort() {
        return back.port();
    }

    /** Connections over the back door carry one request each, so that none outlives the shutting of the door. */
    public void openBackDoor() throws IOException {
        back.open();
    }

    public void shutBackDoor() throws IOException {
        back.shut();
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port());
    }

    public Ledger ledger() {
        return ledger;
    }

    public Gates gates() {
        return gates;
    }

    int nextNumber() {
        return numbers.incrementAndGet();
    }

    private void serve(Socket socket, boolean onlyOne) throws IOException {
        Wire wire = new Wire(socket, Wire.FOR_EVER);
        UpstreamCall call;
        do {
            try {
                call = UpstreamCall.read(socket, wire, this, onlyOne);
            } catch (Wire.Malformed e) {
                if (!isTlsHello(wire.beginning())) ledger.complain(e.getMessage() + "\n" + Wire.show(wire.beginning()));
                return;
            }
            Behaviours.named(call.segment(1)).serve(call);
        } while (call.goesOn());
    }

    /** Someone who takes this for a TLS server is turned away, without a complaint: tests do so on purpose. */
    private static boolean isTlsHello(byte[] beginning) {
        return beginning.length > 0 && beginning[0] == 0x16;
    }

    @Override
    public void close() throws IOException {
        front.close();
        back.close();
    }
}
