package dev.semel.servlet;

import dev.semel.core.Semel;
import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.http.HttpResponse;
import dev.semel.http.KeyStatus;
import dev.semel.http.Problem;
import dev.semel.http.PublishedPolicy;
import dev.semel.http.service.OwnResources;
import dev.semel.http.service.OwnResources.Step;
import dev.semel.http.service.ServiceAccess;
import dev.semel.http.service.ServiceApi;
import dev.semel.http.tenant.TenantReading;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;

/** Answers what the filter answers itself, below the path of the application. */
final class OwnAnswers {
    private static final System.Logger LOG = System.getLogger(OwnAnswers.class.getName());
    private static final byte[] NO_BODY = {};

    private final OwnResources resources;
    private final ServletTenants tenants;

    OwnAnswers(Semel semel, ServletRoutes routes, ServletTenants tenants, ServiceAccess service) {
        this.tenants = tenants;
        this.resources = new OwnResources(
                new PublishedPolicy(routes.published()), new KeyStatus(semel), new ServiceApi(semel), service);
    }

    boolean areAt(HttpServletRequest request) {
        return OwnResources.areAt(path(request));
    }

    private static String path(HttpServletRequest request) {
        return request.getRequestURI().substring(request.getContextPath().length());
    }

    void answer(HttpServletRequest request, HttpServletResponse response, Headers headers)
            throws IOException, ServletException {
        String path = path(request);
        switch (resources.head(request.getMethod(), path, request.getQueryString(), headers)) {
            case Step.Answer it -> {
                if (it.closes()) Answers.closeAfter(request, response);
                Answers.write(request, response, it.response());
            }
            case Step.Ask it when it.limit() == 0 -> ask(request, response, headers, it, NO_BODY);
            case Step.Ask it -> readAndAsk(request, response, headers, it);
        }
    }

    private void readAndAsk(HttpServletRequest request, HttpServletResponse response, Headers headers, Step.Ask ask)
            throws IOException, ServletException {
        switch (RequestBody.read(request, ask.limit())) {
            case RequestBody.Reading.Whole it -> ask(request, response, headers, ask, it.bytes());
            case RequestBody.Reading.Refused it -> {
                Answers.closeAfter(request, response);
                Answers.write(request, response, it.answer());
            }
        }
    }

    private void ask(
            HttpServletRequest request, HttpServletResponse response, Headers headers, Step.Ask ask, byte[] body)
            throws IOException {
        HttpRequest whole =
                new HttpRequest(request.getMethod(), path(request), request.getQueryString(), headers, body);
        Answers.write(request, response, answer(request, whole, ask));
    }

    private HttpResponse answer(HttpServletRequest request, HttpRequest whole, Step.Ask ask) {
        try {
            return switch (tenants.tenant(request)) {
                case TenantReading.Known it -> ask.resource().answer(it.tenant(), whole);
                case TenantReading.Unknown it -> Problem.tenantUnknown(it.why(), tenants.challenge());
                case TenantReading.Unavailable it -> Problem.tenantUnavailable(it.why());
            };
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "A request failed inside SemelFilter: " + ask.what(), e);
            return Problem.internalError();
        }
    }
}
