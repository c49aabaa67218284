package dev.semel.bench;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.ServerSocket;

/** A port that nobody listens on at this moment. */
public final class FreePort {
    private FreePort() {}

    public static int pick() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, NetUtil.LOCALHOST4)) {
            return socket.getLocalPort();
        }
    }
}
