package dev.semel.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.atomic.LongAdder;

/** One response, encoded once and sent to everybody. */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails closes the connection.
final class CannedResponse {
    /** 205 bytes. */
    static final String BODY = """
        {"id":"ch_3f9d2c7a41b84e6f","object":"charge","amount":1999,"currency":"eur","customer":"cus_7f3a9b21",\
        "status":"succeeded","captured":true,"created":1767225600,"receipt":"https://pay.example/r/3f9d2c7a4"}\
        """;

    private final ByteBuf bytes;
    private final boolean closesConnection;

    CannedResponse(int status, boolean closesConnection) {
        String head = """
            HTTP/1.1 %s\r
            Content-Type: application/json\r
            Content-Length: %d\r
            %s\r
            """.formatted(
                HttpResponseStatus.valueOf(status), BODY.length(), closesConnection ? "Connection: close\r\n" : "");
        this.bytes = Unpooled.unreleasableBuffer(Unpooled.directBuffer().writeBytes((head + BODY).getBytes(US_ASCII)));
        this.closesConnection = closesConnection;
    }

    /** Answers each request of one connection when it is complete. */
    ChannelHandler handler(LongAdder answered) {
        return new ChannelInboundHandlerAdapter() {
            private boolean last;

            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                if (message instanceof HttpRequest request) last = closesConnection || !HttpUtil.isKeepAlive(request);
                boolean complete = message instanceof LastHttpContent;
                ReferenceCountUtil.release(message);
                if (!complete) return;
                answered.increment();
                if (last) context.write(bytes.duplicate()).addListener(ChannelFutureListener.CLOSE);
                else context.write(bytes.duplicate(), context.voidPromise());
            }

            @Override
            public void channelReadComplete(ChannelHandlerContext context) {
                context.flush();
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                context.close();
            }
        };
    }
}
