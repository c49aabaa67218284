package dev.semel.servlet;

import dev.semel.http.Exchange;
import dev.semel.http.Headers;
import dev.semel.http.HttpDate;
import dev.semel.http.HttpResponse;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A response that is held back: status, headers and body are kept here until somebody decides what the client gets. What
 * filters before have put into the head of the real response can be seen, but is not touched. For one thread at a time.
 */
final class CapturedResponse extends HttpServletResponseWrapper {
    private final HttpServletRequest request;
    private final CapturedOutput output;
    private CapturedHead head;
    private @Nullable PrintWriter writer;
    private boolean usesStream;
    private int status = SC_OK;
    private @Nullable SentError error;

    /**
     * What was asked for by {@code sendError}.
     *
     * @param head the headers that there were then
     */
    record SentError(int status, @Nullable String message, CapturedHead head) {}

    /** Where a body goes that is too large to be kept. */
    @FunctionalInterface
    interface GoLive {
        /** @param length as it was announced; negative when it was not */
        OutputStream open(int status, Headers headers, long length) throws IOException;
    }

    CapturedResponse(HttpServletResponse client, HttpServletRequest request, long limit, GoLive live) {
        super(client);
        this.request = request;
        String configured = request.getServletContext().getResponseCharacterEncoding();
        this.head = new CapturedHead(client, configured == null ? "ISO-8859-1" : configured);
        this.output = new CapturedOutput(limit, length -> live.open(status, recorded(), length));
    }

    /** What the application has answered, now that it has returned. Unless it went to the client already. */
    Exchange<OutputStream> end() throws IOException {
        SentError unshown = takeError();
        if (unshown != null && unshown.message() != null) {
            head.setContentType("text/plain;charset=utf-8");
            output.write(unshown.message().getBytes(StandardCharsets.UTF_8));
        }
        if (writer != null) writer.flush();
        if (status < 200 || status > 999) return new Exchange.Broken<>("the application answered " + status);
        if (output.isShort()) return new Exchange.Broken<>("the application wrote less than it had announced");
        byte[] body = Answers.mayHaveBody(status) ? output.kept() : new byte[0];
        return new Exchange.Answered<>(new HttpResponse(status, recorded(), body));
    }

    /** With the date of the answer, which a server would add: a replay is as old as what it repeats. */
    private Headers recorded() {
        Headers fields = head.fields();
        return fields.first("Date") == null ? fields.with("Date", HttpDate.format(Instant.now())) : fields;
    }

    /** The error that was asked for and not yet shown; from now on its body can be written. */
    @Nullable
    SentError takeError() {
        SentError taken = error;
        if (taken == null) return null;
        error = null;
        usesStream = false;
        writer = null;
        head.freeCharset();
        output.reopen();
        return taken;
    }

    /** The error as it was sent, without anything that was made to show it. */
    void restore(SentError sent) throws IOException {
        reset();
        head = sent.head();
        status = sent.status();
        error = sent;
        output.close();
    }

    boolean isLive() {
        return output.isLive();
    }

    /** See {@link TomcatForward}. */
    @Override
    public ServletResponse getResponse() {
        return TomcatForward.hidden(super.getResponse());
    }

    @Override
    public ServletOutputStream getOutputStream() {
        if (writer != null) throw new IllegalStateException("getWriter() was called for this response before.");
        usesStream = true;
        return output;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (usesStream) throw new IllegalStateException("getOutputStream() was called for this response before.");
        if (writer == null) writer = new PrintWriter(new OutputStreamWriter(output, head.fixCharset()));
        return writer;
    }

    /** Nothing leaves before it is recorded. */
    @Override
    public void flushBuffer() throws IOException {
        if (writer != null) writer.flush();
        output.flush();
    }

    @Override
    public boolean isCommitted() {
        return output.isLive() || output.isClosed();
    }

    @Override
    public void resetBuffer() {
        if (output.isLive()) throw new IllegalStateException("The response has been sent in part.");
        // What a writer still holds is to go with the rest; and what is reset by an error page can be written again.
        output.discard(true);
        if (writer != null) writer.flush();
        output.discard(false);
        output.clear();
    }

    @Override
    public void reset() {
        resetBuffer();
        status = SC_OK;
        error = null;
        usesStream = false;
        writer = null;
        output.announce(-1);
        output.reopen();
        head.clear();
    }

    @Override
    public void setBufferSize(int size) {
        // All of it is held back, whatever the size of the buffer.
    }

    @Override
    public void setStatus(int status) {
        if (!isCommitted()) this.status = status;
    }

    @Override
    public int getStatus() {
        return status;
    }

    @Override
    public void sendError(int status) throws IOException {
        sendError(status, null);
    }

    @Override
    public void sendError(int status, @Nullable String message) throws IOException {
        if (isCommitted()) throw new IllegalStateException("The response has been sent, or an error was sent before.");
        resetBuffer();
        this.status = status;
        error = new SentError(status, message, head.copy());
        output.announce(-1);
        output.close();
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        sendRedirect(location, SC_FOUND, true);
    }

    // Servlet 6.1 has these. They are not marked as overriding, so that it all compiles and runs with 6.0 too.

    public void sendRedirect(String location, int status) throws IOException {
        sendRedirect(location, status, true);
    }

    public void sendRedirect(String location, boolean clearBuffer) throws IOException {
        sendRedirect(location, SC_FOUND, clearBuffer);
    }

    public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
        if (isCommitted()) throw new IllegalStateException("The response has been sent, or an error was sent before.");
        String target = fromRoot(location);
        if (clearBuffer) resetBuffer();
        this.status = status;
        head.set("Location", target);
        flushBuffer();
        output.close();
    }

    public void setCharacterEncoding(@Nullable Charset encoding) {
        setCharacterEncoding(encoding == null ? null : encoding.name());
    }

    /** A path that was meant from where the request is, as one from the root: so it is right wherever it is read. */
    private String fromRoot(String location) {
        try {
            URI target = URI.create(location);
            if (target.isAbsolute() || location.startsWith("/")) return location;
            return URI.create(request.getRequestURI()).resolve(target).toString();
        } catch (IllegalArgumentException e) {
            return location;
        }
    }

    @Override
    public void addCookie(Cookie cookie) {
        addHeader("Set-Cookie", SetCookie.text(cookie));
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (isCommitted()) return;
        if (name.equalsIgnoreCase("Content-Length")) announce(value);
        else head.set(name, value);
    }

    @Override
    public void addHeader(String name, @Nullable String value) {
        if (isCommitted()) return;
        if (name.equalsIgnoreCase("Content-Length")) announce(value);
        else head.add(name, value);
    }

    private void announce(@Nullable String length) {
        output.announce(length == null ? -1 : Long.parseLong(length.strip()));
    }

    @Override
    public void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        addHeader(name, Integer.toString(value));
    }

    @Override
    public void setDateHeader(String name, long date) {
        setHeader(name, HttpDate.format(Instant.ofEpochMilli(date)));
    }

    @Override
    public void addDateHeader(String name, long date) {
        addHeader(name, HttpDate.format(Instant.ofEpochMilli(date)));
    }

    @Override
    public boolean containsHeader(String name) {
        return getHeader(name) != null;
    }

    @Override
    public @Nullable String getHeader(String name) {
        Collection<String> values = getHeaders(name);
        return values.isEmpty() ? null : values.iterator().next();
    }

    @Override
    public Collection<String> getHeaders(String name) {
        return head.seen(name);
    }

    @Override
    public Collection<String> getHeaderNames() {
        Set<String> names = new LinkedHashSet<>(super.getHeaderNames());
        for (Headers.Field field : head.fields())
            if (names.stream().noneMatch(field.name()::equalsIgnoreCase)) names.add(field.name());
        return names;
    }

    @Override
    public void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        if (!isCommitted()) output.announce(length);
    }

    @Override
    public void setContentType(@Nullable String type) {
        if (!isCommitted()) head.setContentType(type);
    }

    @Override
    public @Nullable String getContentType() {
        return head.contentType();
    }

    @Override
    public void setCharacterEncoding(@Nullable String encoding) {
        if (!isCommitted()) head.setCharset(encoding);
    }

    @Override
    public String getCharacterEncoding() {
        return head.charset();
    }

    @Override
    public void setLocale(Locale locale) {
        setHeader("Content-Language", locale.toLanguageTag());
    }

    /** Fields behind a body belong to the connection, like all that says how a message is framed. */
    @Override
    public void setTrailerFields(Supplier<Map<String, String>> supplier) {
        // not kept
    }
}
