package dev.semel.servlet;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

/** A response whose client does not see what an application says to Semel: names that begin with {@code Semel-}. */
final class PassedResponse extends HttpServletResponseWrapper {
    private static final String OURS = "Semel-";

    PassedResponse(HttpServletResponse response) {
        super(response);
    }

    private static boolean isOurs(String name) {
        return name.regionMatches(true, 0, OURS, 0, OURS.length());
    }

    @Override
    public void setHeader(String name, String value) {
        if (!isOurs(name)) super.setHeader(name, value);
    }

    @Override
    public void addHeader(String name, String value) {
        if (!isOurs(name)) super.addHeader(name, value);
    }
}
