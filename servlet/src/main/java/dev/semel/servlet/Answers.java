package dev.semel.servlet;

import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Writes answers to clients. What filters before this one have put into the head of the response stays there. */
final class Answers {
    /** Of these an answer and the filters before may each have some. */
    private static final Set<String> ADDED = Set.of("set-cookie", "vary", "link");

    private Answers() {}

    static void write(HttpServletRequest request, HttpServletResponse response, HttpResponse answer)
            throws IOException {
        HttpResponse placed = answer.problem() == null ? answer : OwnLinks.within(request.getContextPath(), answer);
        head(response, placed.status(), placed.headers());
        if (!mayHaveBody(placed.status())) return;
        response.setContentLength(placed.body().length);
        if (!request.getMethod().equals("HEAD")) response.getOutputStream().write(placed.body());
    }

    /** The head without the length of the body. */
    static void head(HttpServletResponse response, int status, Headers headers) {
        response.setStatus(status);
        Set<String> written = new HashSet<>();
        for (Headers.Field field : headers) {
            String name = field.name().toLowerCase(Locale.ROOT);
            if (name.equals("content-length")) continue;
            if (name.equals("content-type")) response.setContentType(field.value());
            else if (written.add(name) && !ADDED.contains(name)) response.setHeader(field.name(), field.value());
            else response.addHeader(field.name(), field.value());
        }
    }

    static boolean mayHaveBody(int status) {
        return status != 204 && status != 304;
    }

    /** In HTTP/2 the server itself ends the stream. */
    static void closeAfter(HttpServletRequest request, HttpServletResponse response) {
        if (request.getProtocol().startsWith("HTTP/1")) response.setHeader("Connection", "close");
    }
}
