package dev.semel.testkit.http;

/** A request as the upstream saw it. Noted when its head is there; the body follows. Safe for use by any thread. */
public final class SeenRequest {
    private final String method;
    private final String target;
    private final Fields headers;
    private volatile byte[] body = new byte[0];

    SeenRequest(String method, String target, Fields headers) {
        this.method = method;
        this.target = target;
        this.headers = headers;
    }

    public String method() {
        return method;
    }

    /** Path and query as they stood on the request line. */
    public String target() {
        return target;
    }

    public Fields headers() {
        return headers;
    }

    /** Empty until it was read whole. */
    public byte[] body() {
        return body;
    }

    void has(byte[] whole) {
        body = whole;
    }

    @Override
    public String toString() {
        return method + " " + target + " " + headers + " " + body.length + " bytes";
    }
}
