package dev.semel.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponse;

/** What a load generator sends, and what it expects back. Used by one thread at a time. */
public interface RequestSource {
    /** The next request, encoded; the caller releases it by writing it. */
    ByteBuf next(ByteBufAllocator allocator);

    /** Whether this is the kind of answer that is measured; any other counts as an error. */
    boolean isExpected(HttpResponse response);
}
