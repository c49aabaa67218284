package dev.semel.servlet;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What an application shows for errors, made while its answer is still held back, so that it is recorded with it. */
final class ErrorPage {
    private final String path;

    ErrorPage(String path) {
        this.path = path;
    }

    /** Writes the page if the application asked for it by {@code sendError}. */
    void write(GuardedRequest request, CapturedResponse response) throws IOException, ServletException {
        CapturedResponse.SentError error = response.takeError();
        RequestDispatcher page = error == null ? null : request.getRequestDispatcher(path);
        if (error == null) return;
        if (page == null) throw new ServletException("There is no error page at " + path);
        request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, error.status());
        request.setAttribute(RequestDispatcher.ERROR_MESSAGE, text(error.message()));
        request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, request.getRequestURI());
        page.forward(request, response);
    }

    private static String text(@Nullable String message) {
        return message == null ? "" : message;
    }
}
