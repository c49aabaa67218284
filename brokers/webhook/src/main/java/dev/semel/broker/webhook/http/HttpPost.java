package dev.semel.broker.webhook.http;

import dev.semel.broker.webhook.http.AddressGuard.RefusedAddressException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpCoreContext;

/**
 * Sends one request over one connection. The name is looked up once, what it resolves to is checked, and the very address that was
 * checked is connected to. Redirects are answers like any other. Safe for use by any thread.
 */
public final class HttpPost implements AutoCloseable {
    private static final Http1Config PROTOCOL = Http1Config.custom()
            .setMaxLineLength(8 * 1024)
            .setMaxHeaderCount(100)
            .setMaxEmptyLineCount(5)
            .build();

    /** So much of an answer is read. */
    private static final int READ = 512;

    private final AddressGuard guard;
    private final NameLookup names;
    private final SSLContext tls;
    private final HttpRequestExecutor exchange = new HttpRequestExecutor();
    private final ExecutorService lookups = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("webhook-deadlines").factory());

    public HttpPost(AddressGuard guard, NameLookup names, SSLContext tls) {
        this.guard = guard;
        this.names = names;
        this.tls = tls;
    }

    /** Returns when the request's time-out is over, at the latest. Nothing is sent after that. */
    public Answer send(WebhookRequest request) throws InterruptedException {
        long deadline = System.nanoTime() + request.timeout().toNanos();
        List<InetAddress> addresses;
        try {
            addresses = guard.allowed(request.url().host(), lookUp(request.url().host(), deadline));
        } catch (RefusedAddressException e) {
            return new Answer.None("address", String.valueOf(e.getMessage()));
        } catch (UnknownHostException e) {
            return new Answer.None("dns", "the name " + request.url().host() + " is not known");
        } catch (IOException e) {
            return new Answer.None("dns", String.valueOf(e.getMessage()));
        }
        return send(request, addresses, deadline);
    }

    /** The next address is tried only where not even a connection was made: nobody has got the request yet. */
    private Answer send(WebhookRequest request, List<InetAddress> addresses, long deadline)
            throws InterruptedException {
        for (int i = 0; i < addresses.size() - 1; i++) {
            long now = System.nanoTime();
            long share = now + (deadline - now) / (addresses.size() - i);
            Answer answer = send(request, addresses.get(i), share, deadline);
            if (!(answer instanceof Answer.None(String kind, String why)) || !kind.equals("connect")) return answer;
        }
        return send(request, addresses.getLast(), deadline, deadline);
    }

    /** A look-up cannot be stopped; it is left alone when it takes too long. */
    private List<InetAddress> lookUp(String host, long deadline) throws IOException, InterruptedException {
        CompletableFuture<List<InetAddress>> found = new CompletableFuture<>();
        lookups.execute(() -> {
            try {
                found.complete(names.addresses(host));
            } catch (UnknownHostException | RuntimeException e) {
                found.completeExceptionally(e);
            }
        });
        try {
            return found.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IOException("the name " + host + " could not be looked up in time", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof UnknownHostException unknown
                    ? unknown
                    : new IOException("the name " + host + " could not be looked up", e.getCause());
        }
    }

    private Answer send(WebhookRequest request, InetAddress address, long connectBy, long deadlineNanos)
            throws InterruptedException {
        EndpointUrl url = request.url();
        boolean connected = false;
        Socket plain = new Socket();
        try (plain;
                Deadline deadline = new Deadline(clock, deadlineNanos, plain)) {
            try {
                long millis = TimeUnit.NANOSECONDS.toMillis(connectBy - System.nanoTime());
                plain.connect(new InetSocketAddress(address, url.port()), (int) Math.max(1, millis));
                connected = true;
                plain.setTcpNoDelay(true);
                plain.setSoTimeout(deadline.left());
                return url.secure() ? overTls(request, plain) : talk(request, plain);
            } catch (IOException | HttpException | RuntimeException e) {
                if (Thread.interrupted()) throw new InterruptedException("interrupted while sending a webhook");
                if (!connected && !deadline.isReached())
                    return new Answer.None("connect", "cannot connect: " + e.getMessage());
                if (deadline.isReached() || e instanceof SocketTimeoutException)
                    return new Answer.None(
                            "timeout", "no answer within " + request.timeout().toMillis() + " ms");
                if (e instanceof SSLException) return new Answer.None("tls", "TLS: " + e.getMessage());
                return new Answer.None("broken", "no valid answer: " + e.getMessage());
            }
        } catch (IOException e) {
            return new Answer.None("broken", "the connection could not be closed: " + e.getMessage());
        }
    }

    private Answer overTls(WebhookRequest request, Socket plain) throws IOException, HttpException {
        EndpointUrl url = request.url();
        SSLSocket secure = (SSLSocket) tls.getSocketFactory().createSocket(plain, url.host(), url.port(), true);
        SSLParameters parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
        secure.startHandshake();
        return talk(request, secure);
    }

    private Answer talk(WebhookRequest request, Socket socket) throws IOException, HttpException {
        DefaultBHttpClientConnection connection = new DefaultBHttpClientConnection(PROTOCOL);
        connection.bind(socket);
        ClassicHttpResponse response = exchange.execute(message(request), connection, HttpCoreContext.create());
        int code = response.getCode();
        Header retryAfter = response.getFirstHeader("Retry-After");
        return new Answer.Status(
                code,
                retryAfter == null ? null : RetryAfter.read(retryAfter.getValue(), Clock.systemUTC()),
                code >= 200 && code < 300 ? "" : beginning(response.getEntity()));
    }

    private static BasicClassicHttpRequest message(WebhookRequest request) {
        BasicClassicHttpRequest message =
                new BasicClassicHttpRequest("POST", request.url().target());
        message.setHeader("Host", request.url().hostHeader());
        request.headers().forEach(message::setHeader);
        message.setHeader("Content-Length", Integer.toString(request.body().length));
        message.setHeader("Connection", "close");
        message.setEntity(new ByteArrayEntity(request.body(), (ContentType) null));
        return message;
    }

    /** For people who look for the reason of a failure; what cannot be read is left out. */
    private static String beginning(HttpEntity entity) {
        if (entity == null) return "";
        try {
            InputStream body = entity.getContent();
            return new String(body.readNBytes(READ), StandardCharsets.UTF_8).replaceAll("[\\p{Cntrl}\ufffd]+", " ");
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
        lookups.shutdown();
    }
}
