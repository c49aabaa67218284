package dev.semel.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Many clients that send the same bytes and then do nothing: they neither send more nor read what they are answered.
 * All on one thread.
 */
final class SilentClients implements AutoCloseable {
    /** A client with hardly any room for what it does not read. */
    private static final int RECEIVE_BUFFER = 4096;

    private final Selector selector = Selector.open();
    private final List<SocketChannel> channels = new ArrayList<>();

    SilentClients(int port, int count, byte[] bytes) throws IOException {
        InetSocketAddress gateway = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open();
            channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
            channel.connect(gateway);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_WRITE, ByteBuffer.wrap(bytes));
            channels.add(channel);
        }
    }

    /** Sends until each has sent everything, or is answered before, or broken off. */
    void sendAll() throws IOException {
        awaitAll(SelectionKey.OP_WRITE);
    }

    /** Waits until something has come for each of them, an answer or an end. */
    void awaitAnswers() throws IOException {
        for (SelectionKey key : selector.keys()) if (key.isValid()) key.interestOps(SelectionKey.OP_READ);
        awaitAll(SelectionKey.OP_READ);
    }

    private void awaitAll(int busy) throws IOException {
        long deadline = System.nanoTime() + Await.LONG.toNanos();
        while (selector.keys().stream().anyMatch(key -> key.isValid() && (key.interestOps() & busy) != 0)) {
            if (System.nanoTime() > deadline) throw new AssertionError("the gateway neither reads nor answers");
            selector.select(this::advance, 100);
        }
    }

    private void advance(SelectionKey key) {
        if (key.isReadable()) {
            key.interestOps(0);
            return;
        }
        ByteBuffer left = (ByteBuffer) key.attachment();
        try {
            ((SocketChannel) key.channel()).write(left);
            key.interestOps(left.hasRemaining() ? SelectionKey.OP_WRITE | SelectionKey.OP_READ : 0);
        } catch (IOException brokenOff) {
            key.cancel();
        }
    }

    /** All of them hang up. */
    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) channel.close();
        selector.close();
    }
}
