package dev.semel.servlet;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * What an application shows for errors, made while its answer is still held back, so that it is recorded with it. It gives the
 * body and no more: whether the page could be shown says nothing about the operation.
 */
final class ErrorPage {
    private static final System.Logger LOG = System.getLogger(SemelFilter.class.getName());

    private final String path;

    ErrorPage(String path) {
        this.path = path;
    }

    /** Writes the page if the application asked for it by {@code sendError}. */
    void write(GuardedRequest request, CapturedResponse response) throws IOException, ServletException {
        CapturedResponse.SentError error = response.takeError();
        if (error == null) return;
        try {
            show(error, request, response);
        } catch (IOException | ServletException | RuntimeException e) {
            if (response.isLive()) throw e;
            LOG.log(Level.WARNING, "There is no error page at " + path + ": the message stands in its place", e);
            response.restore(error);
            return;
        }
        boolean ended = response.takeError() == null && response.getStatus() == error.status();
        if (!ended && !response.isLive()) response.restore(error);
    }

    private void show(CapturedResponse.SentError error, GuardedRequest request, CapturedResponse response)
            throws IOException, ServletException {
        RequestDispatcher page = request.getRequestDispatcher(path);
        if (page == null) throw new ServletException("Nothing is served there.");
        request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, error.status());
        request.setAttribute(RequestDispatcher.ERROR_MESSAGE, text(error.message()));
        request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, request.getRequestURI());
        page.forward(request, response);
    }

    private static String text(@Nullable String message) {
        return message == null ? "" : message;
    }
}
