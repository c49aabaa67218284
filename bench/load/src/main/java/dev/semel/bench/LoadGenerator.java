package dev.semel.bench;

import dev.semel.bench.loop.LatencyRecorder;
import dev.semel.bench.loop.LoopResult;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseDecoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A closed loop of HTTP/1.1 requests: every one of N keep-alive connections sends its next request when the answer to
 * the last one is complete. One event loop, so that it takes little from a machine that it shares with what it
 * measures.
 *
 * <p>It sends from {@link #start} to {@link #close}, and counts only during {@link #measure}; measure once and throw the
 * result away to warm up. As in any closed loop a stall of the server holds back further requests too, so the
 * percentiles are those of the requests that were sent, not of those that an open world would have sent.
 */
public final class LoadGenerator implements AutoCloseable {
    private static final long RECONNECT_MILLIS = 20;
    private static final int CONNECT_MILLIS = 5_000;

    private final MultiThreadIoEventLoopGroup loop;
    private final Bootstrap bootstrap;
    private final RequestSource source;
    private final List<LoadConnection> connections = new ArrayList<>();
    private LatencyRecorder recorder = new LatencyRecorder();
    private volatile boolean closed;

    private LoadGenerator(InetSocketAddress target, RequestSource source) {
        Transport transport = Transport.best();
        this.source = source;
        this.loop = transport.oneLoop();
        this.bootstrap = new Bootstrap()
                .group(loop)
                .channel(transport.socket())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .remoteAddress(target)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        open(channel);
                    }
                });
    }

    /** Connects and begins to send. */
    public static LoadGenerator start(InetSocketAddress target, int connections, RequestSource source)
            throws IOException, InterruptedException {
        LoadGenerator generator = new LoadGenerator(target, source);
        try {
            for (int i = 0; i < connections; i++) generator.bootstrap.connect().get();
            return generator;
        } catch (ExecutionException e) {
            generator.close();
            throw new IOException("Cannot connect to " + target, e.getCause());
        } catch (InterruptedException e) {
            generator.close();
            throw e;
        }
    }

    private void open(Channel channel) {
        HttpDecoderConfig config = new HttpDecoderConfig().setValidateHeaders(false);
        LoadConnection connection = new LoadConnection(this, source);
        connections.add(connection);
        channel.pipeline().addLast(new HttpResponseDecoder(config), connection);
    }

    /** A connection broke: a new one takes its place, but not so fast that a dead server is hammered. */
    void reopen(LoadConnection broken) {
        connections.remove(broken);
        reconnectSoon();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What comes of it is recorded by the listener.
    private void reconnectSoon() {
        if (!closed) loop.schedule(this::reconnect, RECONNECT_MILLIS, TimeUnit.MILLISECONDS);
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private void reconnect() {
        bootstrap.connect().addListener(attempt -> {
            if (attempt.isSuccess()) return;
            recorder.failed(String.valueOf(attempt.cause()));
            reconnectSoon();
        });
    }

    LatencyRecorder recorder() {
        return recorder;
    }

    /** Measures for so long, from now. */
    public LoopResult measure(Duration duration) throws InterruptedException {
        try {
            loop.submit(() -> recorder = new LatencyRecorder()).get();
            return loop.schedule(this::end, duration.toNanos(), TimeUnit.NANOSECONDS)
                    .get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("The event loop failed.", e.getCause());
        }
    }

    private LoopResult end() {
        for (LoadConnection connection : connections) {
            if (connection.waitsSince(recorder.startNanos())) recorder.failed("no answer in the whole time");
        }
        return recorder.result();
    }

    @Override
    public void close() {
        closed = true;
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
