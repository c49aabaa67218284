package dev.semel.testkit.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/** One request at the upstream, and all that a behaviour can do about it. For the thread of its connection. */
final class UpstreamCall {
    private final Socket socket;
    private final Wire wire;
    private final OutputStream out;
    private final ScriptedUpstream upstream;
    private final boolean lastOne;
    private final SeenRequest request;
    private boolean bodyWasRead;
    private boolean over;

    private UpstreamCall(Socket socket, Wire wire, ScriptedUpstream upstream, boolean lastOne, SeenRequest request)
            throws IOException {
        this.socket = socket;
        this.wire = wire;
        this.out = socket.getOutputStream();
        this.upstream = upstream;
        this.lastOne = lastOne;
        this.request = request;
    }

    /** Reads the head of the next request. */
    static UpstreamCall read(Socket socket, Wire wire, ScriptedUpstream upstream, boolean lastOne) throws IOException {
        wire.begin();
        String line = wire.line();
        String[] words = line.split(" ", -1);
        if (words.length != 3 || !words[2].equals("HTTP/1.1") || !words[1].startsWith("/"))
            throw new Wire.Malformed("a request line that is none: " + line);
        Fields headers = wire.fields();
        if (headers.all("Host").size() != 1) throw new Wire.Malformed("not one Host: " + headers);
        if ((headers.has("Content-Length") && headers.has("Transfer-Encoding"))
                || headers.all("Content-Length").size() > 1)
            throw new Wire.Malformed("a request with two ideas of its length: " + headers);
        if (headers.has("Content-Length")
                && !headers.all("Content-Length").getFirst().matches("[0-9]{1,12}"))
            throw new Wire.Malformed("a length that is none: " + headers);
        SeenRequest request = new SeenRequest(words[0], words[1], headers);
        UpstreamCall call = new UpstreamCall(socket, wire, upstream, lastOne, request);
        // A probe is sent by the subject itself, at its own time.
        if (!call.segment(1).startsWith("probe")) upstream.ledger().arrived(request);
        return call;
    }

    SeenRequest request() {
        return request;
    }

    /** A part of the path: 0 is the route's, 1 the behaviour's, then come its parameters. Empty when there is none. */
    String segment(int index) {
        String path = request.target().replaceFirst("[?].*", "");
        String[] segments = path.substring(1).split("/", -1);
        return index < segments.length ? segments[index] : "";
    }

    /** A parameter of the query, or null. */
    @Nullable
    String parameter(String name) {
        String target = request.target();
        int mark = target.indexOf('?');
        if (mark < 0) return null;
        for (String parameter : target.substring(mark + 1).split("&", -1)) {
            if (parameter.equals(name)) return "";
            if (parameter.startsWith(name + "=")) return parameter.substring(name.length() + 1);
        }
        return null;
    }

    byte[] body() throws IOException {
        if (bodyWasRead) return request.body();
        bodyWasRead = true;
        String length = request.headers().first("Content-Length");
        if (request.headers().has("Transfer-Encoding")) request.has(wire.chunks());
        else if (length != null) request.has(wire.exactly(Long.parseLong(length)));
        return request.body();
    }

    /** Reads so much of the body and leaves the rest. */
    byte[] beginningOfBody(int count) throws IOException {
        bodyWasRead = true;
        over = true;
        return wire.exactly(count);
    }

    /** From here on the operation has happened. */
    void effect() {
        upstream.ledger().effect(request);
    }

    Ledger ledger() {
        return upstream.ledger();
    }

    int numberedEffect() {
        effect();
        return upstream.nextNumber();
    }

    void stopAtGate() {
        String attempt = request.headers().first("Semel-Attempt");
        upstream.gates().await(Ledger.scenarioOf(request), attempt == null ? 1 : Integer.parseInt(attempt));
    }

    void answer(int status, Fields headers, byte[] body) throws IOException {
        boolean bodiless = status == 204 || status == 304;
        head(status, bodiless ? headers : headers.with("Content-Length", String.valueOf(body.length)));
        if (!bodiless && !request.method().equals("HEAD")) write(body);
    }

    void answerJson(int status, String json) throws IOException {
        answer(status, Fields.of("Content-Type", "application/json"), Bytes.utf8(json));
    }

    void head(int status, Fields headers) throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " As-Scripted\r\n");
        for (Fields.Field field : headers) head.append(field).append("\r\n");
        if (lastOne) head.append("Connection: close\r\n");
        write(Wire.latin1(head.append("\r\n").toString()));
    }

    void write(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    void hangUp() throws IOException {
        over = true;
        socket.close();
    }

    void reset() throws IOException {
        over = true;
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Says nothing more until the other side has gone. */
    void fallSilent() throws IOException {
        over = true;
        wire.untilClose();
    }

    /** Waits so long for the other side to go away. */
    boolean isGoneWithin(int millis) throws IOException {
        over = true;
        socket.setSoTimeout(millis);
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    /** True when the next request may come on this connection; reads what is left of this one. */
    boolean goesOn() throws IOException {
        if (over || lastOne) return false;
        body();
        return true;
    }
}
