package dev.semel.examples.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;

/** One client connection through the bad network. One thread forwards requests, another answers. */
final class ProxiedConnection {
    private static final int BUFFER = 16 * 1024;

    private final Socket client;
    private final Socket server;
    private final FaultPlan plan;
    private final Traffic traffic;

    private volatile PlannedFault planned = new PlannedFault(NetworkFault.NONE, Duration.ZERO);
    /** A request was begun and nothing of its answer was seen yet. */
    private volatile boolean asking;

    record PlannedFault(NetworkFault fault, Duration lateness) {}

    /** What happens to a request with this key, of which there were so many before. */
    interface FaultPlan {
        PlannedFault of(String key, int before);
    }

    ProxiedConnection(Socket client, Socket server, FaultPlan plan, Traffic traffic) {
        this.client = client;
        this.server = server;
        this.plan = plan;
        this.traffic = traffic;
    }

    /** Returns when the client has hung up or the connection was cut. */
    void forwardRequests() throws IOException {
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        byte[] bytes = new byte[BUFFER];
        for (int length; (length = in.read(bytes)) >= 0; ) {
            if (asking) {
                out.write(bytes, 0, length);
            } else if (!forwardsNewRequest(bytes, length, out)) {
                reset(client);
                return;
            }
        }
    }

    /** @return false when it was cut */
    private boolean forwardsNewRequest(byte[] bytes, int length, OutputStream out) throws IOException {
        String key = Traffic.keyIn(bytes, length);
        planned = plan.of(key, traffic.requestBegins(key));
        asking = true;
        boolean cut = planned.fault() == NetworkFault.REQUEST_CUT;
        out.write(bytes, 0, cut ? length / 2 : length);
        if (cut) traffic.requestCut();
        else traffic.requestArrived(key);
        return !cut;
    }

    /** Ends when either side has hung up or an answer was lost; closes both then. */
    void forwardAnswers() {
        try (client;
                server) {
            InputStream in = server.getInputStream();
            OutputStream out = client.getOutputStream();
            byte[] bytes = new byte[BUFFER];
            for (int length; (length = in.read(bytes)) >= 0; ) {
                if (asking && planned.fault() == NetworkFault.ANSWER_LOST) {
                    traffic.answerLost();
                    reset(client);
                    return;
                }
                if (asking && planned.fault() == NetworkFault.ANSWER_LATE) Thread.sleep(planned.lateness());
                asking = false;
                out.write(bytes, 0, length);
            }
        } catch (IOException | InterruptedException end) {
            // The client hung up first, or the network goes down.
        }
    }

    /** The other side sees "connection reset", not an orderly end. */
    private static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }
}
