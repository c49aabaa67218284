package dev.semel.servlet;

import dev.semel.http.Attempt;
import dev.semel.http.AttemptHeaders;
import dev.semel.http.HeaderRules;
import dev.semel.http.HttpRequest;
import dev.semel.http.RoutePolicy;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request that was taken in whole, as the application sees it. For one thread at a time. */
final class GuardedRequest extends PassedRequest {
    private static final String NOT_ASYNC =
            "A request with an idempotency key cannot be answered asynchronously: SemelFilter"
                    + " records the answer when the servlet returns. Answer on the thread of the request.";
    private static final String NO_PARTS =
            "A request with an idempotency key cannot be read as multipart/form-data: SemelFilter"
                    + " has read its body. Read the body itself, or leave this route unguarded.";

    private final HttpServletRequest server;
    private final HttpRequest whole;
    private @Nullable String encoding;
    private @Nullable ServletInputStream input;
    private @Nullable BufferedReader reader;
    private @Nullable Map<String, String[]> parameters;

    GuardedRequest(HttpServletRequest request, HttpRequest whole, RoutePolicy policy, Attempt attempt) {
        super(
                request,
                AttemptHeaders.add(
                        HeaderRules.forApplication(whole.headers()),
                        policy.keys().source(),
                        attempt));
        this.server = request;
        this.whole = whole;
    }

    @Override
    public ServletInputStream getInputStream() {
        if (reader != null) throw new IllegalStateException("getReader() was called for this request before.");
        if (input == null) input = new BufferedInput(whole.body());
        return input;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (input != null) throw new IllegalStateException("getInputStream() was called for this request before.");
        if (reader == null) {
            String used = getCharacterEncoding();
            reader = new BufferedReader(
                    new InputStreamReader(new BufferedInput(whole.body()), used == null ? "ISO-8859-1" : used));
        }
        return reader;
    }

    @Override
    public @Nullable String getCharacterEncoding() {
        return encoding != null ? encoding : super.getCharacterEncoding();
    }

    /** Some servers do not change it any more, for to them the body was read. */
    @Override
    public void setCharacterEncoding(String encoding) throws UnsupportedEncodingException {
        try {
            if (reader == null && parameters == null)
                this.encoding = Charset.forName(encoding).name();
        } catch (IllegalArgumentException e) {
            throw new UnsupportedEncodingException(encoding);
        }
    }

    /** The server knows those of the query; those of a form were in the body that it no longer has. */
    @Override
    public Map<String, String[]> getParameterMap() {
        if (parameters == null) parameters = FormBody.parameters(server, whole, getCharacterEncoding());
        return parameters;
    }

    @Override
    public @Nullable String getParameter(String name) {
        String[] values = getParameterMap().get(name);
        return values == null || values.length == 0 ? null : values[0];
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        return getParameterMap().get(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(getParameterMap().keySet());
    }

    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(String path) {
        RequestDispatcher dispatcher = super.getRequestDispatcher(path);
        return dispatcher == null ? null : new ResettingDispatcher(dispatcher);
    }

    @Override
    public Collection<Part> getParts() throws ServletException {
        throw new ServletException(NO_PARTS);
    }

    @Override
    public Part getPart(String name) throws ServletException {
        throw new ServletException(NO_PARTS);
    }

    @Override
    public boolean isAsyncSupported() {
        return false;
    }

    @Override
    public AsyncContext startAsync() {
        throw new IllegalStateException(NOT_ASYNC);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        throw new IllegalStateException(NOT_ASYNC);
    }

    @Override
    public <T extends HttpUpgradeHandler> T upgrade(Class<T> handler) {
        throw new IllegalStateException("A request with an idempotency key cannot become another protocol.");
    }
}
