package dev.semel.gateway.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpClientCodec;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/** What is watched on every connection to an upstream, before its first request. */
public final class UpstreamConnections {
    private UpstreamConnections() {}

    public static void watch(HttpConnection connection) {
        Channel channel = ((ConnectionBase) connection).channel();
        ChannelPipeline pipeline = channel.pipeline();
        SentBytes.watch(channel);
        String parser = pipeline.context(HttpClientCodec.class).name();
        StrictAnswers answers = new StrictAnswers();
        pipeline.addBefore(parser, "semel-strict-answers", answers);
        pipeline.addAfter(parser, "semel-interim-answers", new InterimAnswers(answers));
    }
}
