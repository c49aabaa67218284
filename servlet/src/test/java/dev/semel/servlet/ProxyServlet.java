package dev.semel.servlet;

import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.RouteSettings;
import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.http.HeaderRules;
import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import dev.semel.http.Problem;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * An application whose operations happen elsewhere: each request becomes one to the scripted upstream. What a proxy has to do,
 * it does itself; of the filter before it, it knows nothing but the headers that the filter adds.
 */
final class ProxyServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient GatewayConfig config;

    ProxyServlet(GatewayConfig config) {
        this.config = config;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean guarded = request.getHeader("Semel-Attempt") != null;
        try (UpstreamConnection upstream = UpstreamConnection.open(settings(request))) {
            send(request, upstream);
            UpstreamConnection.Head head = upstream.receiveHead(request.getMethod());
            passOn(head, upstream, response);
        } catch (IOException e) {
            if (guarded || response.isCommitted()) throw e;
            // A proxy answers for its upstream; where a key is at stake, the filter does that.
            Answers.write(request, response, problem(e));
        }
    }

    private static HttpResponse problem(IOException failure) {
        if (failure instanceof UpstreamConnection.NotReachedException) return Problem.upstreamUnreachable();
        return failure instanceof SocketTimeoutException ? Problem.upstreamTooSlow() : Problem.upstreamBroke();
    }

    private UpstreamSettings settings(HttpServletRequest request) {
        for (RouteSettings route : config.allRoutes())
            if (route.pattern().matches(request.getMethod(), request.getRequestURI()))
                return route.upstream() == null ? config.upstream() : route.upstream();
        return config.upstream();
    }

    private static void send(HttpServletRequest request, UpstreamConnection upstream) throws IOException {
        String query = request.getQueryString();
        String target = request.getRequestURI() + (query == null ? "" : "?" + query);
        boolean chunked = request.getContentLengthLong() < 0 && request.getHeader("Transfer-Encoding") != null;
        Headers headers = onward(request);
        if (chunked) headers = headers.with("Transfer-Encoding", "chunked");
        upstream.sendHead(request.getMethod(), target, headers);
        try {
            OutputStream out = upstream.out();
            byte[] step = new byte[16 * 1024];
            InputStream in = request.getInputStream();
            for (int count = in.read(step); count >= 0; count = in.read(step)) {
                if (count == 0) continue;
                if (chunked) out.write((Integer.toHexString(count) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                out.write(step, 0, count);
                if (chunked) out.write(new byte[] {'\r', '\n'});
            }
            if (chunked) out.write("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        } catch (SocketException e) {
            // It reads no more: perhaps it has answered already.
        }
    }

    /** What goes upstream, and what the filter says to this application. */
    private static Headers onward(HttpServletRequest request) {
        Headers headers = RequestHead.headers(request);
        String host = String.valueOf(request.getHeader("Host"));
        Headers onward = HeaderRules.forUpstream(headers, request.getRemoteAddr(), host, request.getScheme())
                .without("te"::equals);
        for (Headers.Field field : headers)
            if (field.name().toLowerCase(Locale.ROOT).startsWith("semel-"))
                onward = onward.with(field.name(), field.value());
        return onward;
    }

    private static void passOn(UpstreamConnection.Head head, UpstreamConnection upstream, HttpServletResponse response)
            throws IOException {
        response.setStatus(head.status());
        Headers endToEnd = HeaderRules.endToEnd(head.headers());
        for (Headers.Field field : endToEnd) {
            if (field.name().equalsIgnoreCase("Content-Length"))
                response.setContentLengthLong(Long.parseLong(field.value()));
            else response.addHeader(field.name(), field.value());
        }
        for (String outcome : head.headers().all("Semel-Outcome")) response.addHeader("Semel-Outcome", outcome);
        OutputStream out = response.getOutputStream();
        byte[] step = new byte[16 * 1024];
        for (int count = upstream.receive(step); count >= 0; count = upstream.receive(step)) {
            out.write(step, 0, count);
            out.flush();
        }
    }
}
