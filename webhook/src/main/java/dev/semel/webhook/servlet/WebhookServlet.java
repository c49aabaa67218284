package dev.semel.webhook.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.messaging.Outbox;
import dev.semel.messaging.message.Message;
import dev.semel.webhook.receive.IncomingWebhook;
import dev.semel.webhook.receive.Receipt;
import dev.semel.webhook.receive.WebhookHandler;
import dev.semel.webhook.receive.WebhookReceiver;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes the webhooks of one sender: register it at the path that the sender posts to. It reads the body itself, so nothing before it
 * may: no filter that looks at parameters, and none that wants a login or a token against forged forms. Whoever sends is told by the
 * signature.
 */
public final class WebhookServlet implements Servlet {
    private static final System.Logger LOG = System.getLogger(WebhookServlet.class.getName());

    private final int largest;
    private final Way way;
    private @Nullable ServletConfig config;

    private WebhookServlet(int largest, Way way) {
        this.largest = largest;
        this.way = way;
    }

    private interface Way {
        Receipt receive(Function<String, @Nullable String> header, byte[] body);
    }

    /** As {@link WebhookReceiver#handle}. */
    public static WebhookServlet handling(WebhookReceiver receiver, WebhookHandler handler) {
        return new WebhookServlet(receiver.largest(), (header, body) -> receiver.handle(header, body, handler));
    }

    /** As {@link WebhookReceiver#store}. */
    public static WebhookServlet storing(
            WebhookReceiver receiver, Outbox outbox, Function<IncomingWebhook, Message> message) {
        return new WebhookServlet(receiver.largest(), (header, body) -> receiver.store(header, body, outbox, message));
    }

    @Override
    public void service(ServletRequest any, ServletResponse to) throws ServletException, IOException {
        if (!(any instanceof HttpServletRequest request) || !(to instanceof HttpServletResponse response))
            throw new ServletException("Webhooks come over HTTP.");
        if (!request.getMethod().equals("POST")) {
            response.setHeader("Allow", "POST");
            write(response, 405, "A webhook is posted.");
            return;
        }
        String encoding = request.getHeader("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            write(response, 415, "A webhook is verified as its sender signed it, so it must not be compressed.");
            return;
        }
        byte[] body = request.getInputStream().readNBytes(largest + 1);
        Receipt receipt = way.receive(name -> joined(request, name), body);
        tell(request, receipt);
        Receipt.Answer answer = receipt.answer();
        response.setStatus(answer.status());
        for (Map.Entry<String, String> header : answer.headers().entrySet())
            response.setHeader(header.getKey(), header.getValue());
        response.setContentLength(answer.body().length);
        response.getOutputStream().write(answer.body());
    }

    private static @Nullable String joined(HttpServletRequest request, String name) {
        List<String> all = Collections.list(request.getHeaders(name));
        return all.isEmpty() ? null : String.join(", ", all);
    }

    private static void write(HttpServletResponse response, int status, String text) throws IOException {
        response.setStatus(status);
        response.setContentType("text/plain;charset=utf-8");
        response.getOutputStream().write(text.getBytes(UTF_8));
    }

    private static void tell(HttpServletRequest request, Receipt receipt) {
        String path = request.getServletPath();
        switch (receipt) {
            case Receipt.Taken it -> {}
            case Receipt.Rejected(String reason) -> warn("A webhook at " + path + " was refused: " + reason);
            case Receipt.Unusable(String reason) -> warn("A webhook at " + path + " was refused: " + reason);
            case Receipt.TooLarge it -> warn("A webhook at " + path + " was refused: it is too large");
            case Receipt.Unavailable(String reason) -> warn("A webhook at " + path + " could not be stored: " + reason);
            case Receipt.Failed(Throwable failure) ->
                LOG.log(System.Logger.Level.ERROR, "A webhook at " + path + " could not be handled", failure);
        }
    }

    private static void warn(String what) {
        LOG.log(System.Logger.Level.WARNING, what);
    }

    @Override
    public void init(ServletConfig given) {
        config = given;
    }

    @Override
    public @Nullable ServletConfig getServletConfig() {
        return config;
    }

    @Override
    public String getServletInfo() {
        return "Semel: webhooks";
    }

    @Override
    public void destroy() {}
}
