package dev.semel.bench;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** The cheapest honest upstream: reads the whole request, whatever it is, and answers with the same 205 bytes of JSON. */
public final class UpstreamServer implements AutoCloseable {
    private static final int BACKLOG = 1024;

    private final MultiThreadIoEventLoopGroup loop;
    private final LongAdder answered = new LongAdder();
    private final CannedResponse answer;
    private final Channel listener;

    private UpstreamServer(int port, int status, boolean closes) {
        Transport transport = Transport.best();
        this.answer = new CannedResponse(status, closes);
        this.loop = transport.oneLoop();
        this.listener = new ServerBootstrap()
                .group(loop)
                .channel(transport.serverSocket())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        HttpDecoderConfig config = new HttpDecoderConfig().setValidateHeaders(false);
                        channel.pipeline().addLast(new HttpRequestDecoder(config), answer.handler(answered));
                    }
                })
                .bind(new InetSocketAddress(NetUtil.LOCALHOST4, port))
                .syncUninterruptibly()
                .channel();
    }

    /** Answers 200 on the loopback address; any free port if 0. */
    public static UpstreamServer start(int port) {
        return new UpstreamServer(port, 200, false);
    }

    /** Answers with this status, and closes the connection after each answer if told so. */
    static UpstreamServer start(int status, boolean closes) {
        return new UpstreamServer(0, status, closes);
    }

    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** How many requests were answered. */
    public long answered() {
        return answered.sum();
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Takes {@code --port N} (0: any), prints {@code listening N}, and runs until it is killed. */
    public static void main(String[] args) throws InterruptedException {
        if (args.length != 2 || !args[0].equals("--port")) throw new IllegalArgumentException("usage: --port N");
        try (UpstreamServer server = start(Integer.parseInt(args[1]))) {
            System.out.println("listening " + server.port());
            new CountDownLatch(1).await();
        }
    }
}
