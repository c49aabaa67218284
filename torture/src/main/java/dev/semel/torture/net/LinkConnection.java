package dev.semel.torture.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;

/** One connection over a link. Two threads carry its bytes, one in each direction. */
final class LinkConnection {
    private static final int PIECE = 16 * 1024;
    private static final int LONGEST_DELAY_MILLIS = 500;

    private final Link link;
    private final Socket near;
    private final Socket far;

    LinkConnection(Link link, Socket near, Socket far) {
        this.link = link;
        this.near = near;
        this.far = far;
    }

    /** Returns when the connection is over in both directions. */
    void carry() throws IOException {
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        Thread back = Thread.ofVirtual().start(() -> pump(far, near, true));
        pump(near, far, false);
        try {
            back.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    private void pump(Socket from, Socket to, boolean answers) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] piece = new byte[PIECE];
            for (int count; (count = in.read(piece)) >= 0; ) {
                int arriving = arriving(count, answers);
                if (arriving > 0) out.write(piece, 0, arriving);
                if (arriving < count) {
                    reset();
                    return;
                }
            }
            to.shutdownOutput();
        } catch (IOException e) {
            reset();
        } catch (InterruptedException e) {
            reset();
            Thread.currentThread().interrupt();
        }
    }

    /** How many of these bytes arrive, once they do. With fewer than all the connection is over. */
    private int arriving(int count, boolean answers) throws InterruptedException {
        return switch (link.condition()) {
            case HEALTHY, REFUSE -> count;
            case DELAY -> {
                Thread.sleep(ThreadLocalRandom.current().nextInt(LONGEST_DELAY_MILLIS));
                yield count;
            }
            case BLACK_HOLE -> link.awaitDelivery() ? count : 0;
            case RESET -> 0;
            case CUT_AFTER_REQUEST -> answers ? 0 : count;
            case CUT_IN_RESPONSE -> answers ? count / 2 : count;
        };
    }

    /** Both ends learn at once that it is over. */
    void reset() {
        reset(near);
        reset(far);
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException gone) {
            // As it should be.
        }
    }

    private void close() {
        try {
            near.close();
            far.close();
        } catch (IOException gone) {
            // As it should be.
        }
    }
}
