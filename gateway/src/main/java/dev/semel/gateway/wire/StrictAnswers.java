package dev.semel.gateway.wire;

import dev.semel.gateway.wire.MessageScanner.State;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * Sees to it that no byte behind an answer is ever read as the beginning of the next one: whoever sends more than the
 * answer to what it was asked loses the connection, and the next request goes over another. The parser alone would keep
 * the bytes until then, and give them to another client. For connections to upstreams, without pipelining; must see every
 * byte.
 */
// A channel that cannot be closed is closed already.
@SuppressWarnings("FutureReturnValueIgnored")
final class StrictAnswers extends ChannelInboundHandlerAdapter {
    private final AnswerScanner scanner = new AnswerScanner();

    /** To be told of each request before it is sent. */
    void asked(boolean forHeadOnly) {
        scanner.expectAnswer(forHeadOnly);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (message instanceof ByteBuf bytes) {
            int end = scan(bytes);
            if (end < bytes.writerIndex()) {
                // Before the answer is passed on, so that nobody can ask anything more over this connection.
                context.close();
                if (end == bytes.readerIndex()) {
                    ReferenceCountUtil.release(message);
                    return;
                }
                bytes.writerIndex(end);
            }
        }
        super.channelRead(context, message);
    }

    /** @return where the answer ends, or what has come of it */
    private int scan(ByteBuf bytes) {
        int end = scanner.scan(bytes);
        // An answer without a length ends with the connection.
        return scanner.state() == State.UNTRACKED ? bytes.writerIndex() : end;
    }
}
