package dev.semel.bench;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/** One connection of a load generator: send, wait for the whole answer, record, send the next. */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails comes back as an exception, then as inactive.
final class LoadConnection extends ChannelInboundHandlerAdapter {
    private final LoadGenerator generator;
    private final RequestSource source;
    private long sentNanos = System.nanoTime();
    private String problem = "";

    LoadConnection(LoadGenerator generator, RequestSource source) {
        this.generator = generator;
        this.source = source;
    }

    boolean waitsSince(long nanos) {
        return sentNanos - nanos < 0;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        send(context);
    }

    private void send(ChannelHandlerContext context) {
        problem = "";
        sentNanos = System.nanoTime();
        context.writeAndFlush(source.next(context.alloc()), context.voidPromise());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        HttpObject part = (HttpObject) message;
        if (part.decoderResult().isFailure()) problem = part.decoderResult().toString();
        else if (part instanceof HttpResponse response && !source.isExpected(response)) problem = describe(response);
        boolean complete = part instanceof LastHttpContent;
        ReferenceCountUtil.release(message);
        if (complete) answered(context);
    }

    private static String describe(HttpResponse response) {
        return "unexpected answer " + response.status() + " "
                + response.headers().entries();
    }

    private void answered(ChannelHandlerContext context) {
        if (problem.isEmpty()) generator.recorder().succeeded(System.nanoTime() - sentNanos);
        else generator.recorder().failed(problem);
        send(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        generator.recorder().failed("connection closed by the server");
        generator.reopen(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
