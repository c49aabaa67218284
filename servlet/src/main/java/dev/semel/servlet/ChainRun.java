package dev.semel.servlet;

import dev.semel.http.Ending;
import dev.semel.http.Exchange;
import dev.semel.http.FailureRules;
import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import dev.semel.http.Passage;
import dev.semel.http.Reply;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * The one run of the application for a key: everything from the first line of the next filter until the answer has left.
 * On the thread of the request throughout.
 */
final class ChainRun {
    private static final System.Logger LOG = System.getLogger(SemelFilter.class.getName());

    private final Passage passage;
    private final GuardedRequest request;
    private final HttpServletResponse client;
    private final FailureRules failures;
    private final @Nullable String errorPage;
    private final Tell tell;
    private boolean settled;
    private @Nullable RuntimeException failure;

    /** Is told how the run ended, just before its answer leaves. */
    @FunctionalInterface
    interface Tell {
        void ended(Ending ending, int status, @Nullable String problem);
    }

    ChainRun(
            Passage passage,
            GuardedRequest request,
            HttpServletResponse client,
            FailureRules failures,
            @Nullable String errorPage,
            Tell tell) {
        this.passage = passage;
        this.request = request;
        this.client = client;
        this.failures = failures;
        this.errorPage = errorPage;
        this.tell = tell;
    }

    /**
     * Runs the rest of the chain, and gives the client what it may have of it.
     *
     * @param limit how many bytes of a body are kept
     */
    void run(FilterChain chain, long limit) throws IOException, ServletException, EngineFailure {
        CapturedResponse response = new CapturedResponse(client, request, limit, this::goLive);
        Exchange<OutputStream> exchange;
        try {
            if (passage.attempt().stillHeld().getAsBoolean()) {
                chain.doFilter(request, response);
                if (errorPage != null) new ErrorPage(errorPage).write(request, response);
                exchange = response.end();
            } else {
                // This process was held up for longer than its lease: someone else may have the key by now.
                exchange = new Exchange.NotSent<>("the server was held up before it could run");
            }
        } catch (Exception | Error e) {
            if (failure != null) throw new EngineFailure(failure);
            // What has left cannot be called back: the server breaks the answer off where it is.
            if (settled) throw e;
            exchange = failed(e);
        }
        // The application may have caught what the engine threw into the middle of its writing.
        if (failure != null) throw new EngineFailure(failure);
        if (!settled) end(settle(exchange));
    }

    private Exchange<OutputStream> failed(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof ServletException wrapper && wrapper.getRootCause() != null)
            cause = wrapper.getRootCause();
        LOG.log(Level.ERROR, "A guarded request failed in the application: " + request.getMethod(), failure);
        return failures.of(cause);
    }

    private void end(Reply<OutputStream> reply) throws IOException {
        switch (reply) {
            case Reply.Whole<OutputStream> it -> end(it.response(), it.ending());
            case Reply.Streaming<OutputStream> it ->
                throw new IllegalStateException("Only what is too large is passed on as it comes.");
        }
    }

    private void end(HttpResponse answer, Ending ending) throws IOException {
        tell.ended(ending, answer.status(), answer.problem());
        Answers.write(request, client, answer);
    }

    private Reply<OutputStream> settle(Exchange<OutputStream> exchange) throws EngineFailure {
        settled = true;
        try {
            return passage.settle(exchange);
        } catch (RuntimeException e) {
            throw new EngineFailure(e);
        }
    }

    /**
     * In the middle of the run: there is more of the body than may be kept. It is recorded without its body, and goes to the
     * client as it comes; unless the client is to be told something else.
     *
     * @param length what the application said of it; negative when it did not
     */
    private OutputStream goLive(int status, Headers headers, long length) throws IOException {
        switch (settleLarge(status, headers)) {
            case Reply.Whole<OutputStream> it -> {
                end(it.response(), it.ending());
                return OutputStream.nullOutputStream();
            }
            case Reply.Streaming<OutputStream> it -> {
                tell.ended(it.ending(), it.status(), null);
                Answers.head(client, it.status(), it.headers());
                if (length >= 0) client.setContentLengthLong(length);
                // From here on the server cannot answer anything else either.
                client.flushBuffer();
                return client.getOutputStream();
            }
        }
    }

    private Reply<OutputStream> settleLarge(int status, Headers headers) {
        settled = true;
        try {
            return passage.settle(new Exchange.TooLargeToKeep<>(status, headers, OutputStream.nullOutputStream()));
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        }
    }
}
