package dev.semel.gateway;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/** Takes the body of a request in whole, up to a limit. A client that breaks off half-way is never heard of again. */
final class BodyReader {
    private final HttpServerRequest request;
    private final long limit;
    private final Buffer body = Buffer.buffer();
    private boolean over;

    BodyReader(HttpServerRequest request, long limit) {
        this.request = request;
        this.limit = limit;
    }

    void read(Consumer<Buffer> whole, Runnable tooLarge) {
        if (announced() > limit) {
            over = true;
            tooLarge.run();
            return;
        }
        if ("100-continue".equalsIgnoreCase(request.getHeader("Expect")))
            request.response().writeContinue();
        request.handler(bytes -> append(bytes, tooLarge));
        request.endHandler(end -> {
            if (!over) whole.accept(body);
        });
    }

    private void append(Buffer bytes, Runnable tooLarge) {
        if (over) return;
        if (body.length() + bytes.length() <= limit) {
            body.appendBuffer(bytes);
        } else {
            over = true;
            tooLarge.run();
        }
    }

    private long announced() {
        String length = request.getHeader("Content-Length");
        if (length == null) return 0;
        try {
            return Long.parseLong(length);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }
}
