package dev.semel.gateway.wire;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/**
 * Drops what an upstream says before its answer (1xx, RFC 9110 §15.2): nobody here asked for it, and the framework takes
 * the kinds that it does not know for the answer itself. Only a switch of protocols (101) is final.
 */
final class InterimAnswers extends ChannelDuplexHandler {
    private final StrictAnswers answers;
    private boolean dropping;

    /** @param answers must know what was asked, and sees bytes only */
    InterimAnswers(StrictAnswers answers) {
        this.answers = answers;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        if (message instanceof HttpRequest request)
            answers.asked(request.method().equals(HttpMethod.HEAD));
        super.write(context, message, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (message instanceof HttpResponse response) dropping = isInterim(response);
        if (!dropping) {
            super.channelRead(context, message);
            return;
        }
        if (message instanceof LastHttpContent) dropping = false;
        ReferenceCountUtil.release(message);
    }

    private static boolean isInterim(HttpResponse response) {
        int status = response.status().code();
        return response.decoderResult().isSuccess() && status < 200 && status != 101;
    }
}
