package dev.semel.servlet;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;

/** A forward drops what was written before it. Some servers do that to their own response only, not to one that is wrapped. */
final class ResettingDispatcher implements RequestDispatcher {
    private final RequestDispatcher dispatcher;

    ResettingDispatcher(RequestDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    @Override
    public void forward(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        response.resetBuffer();
        dispatcher.forward(request, response);
    }

    @Override
    public void include(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        dispatcher.include(request, response);
    }
}
