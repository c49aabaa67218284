package dev.semel.servlet;

import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** Where Semel's own resources are, seen from a client of an application that has only a part of the paths of its server. */
final class OwnLinks {
    private OwnLinks() {}

    /** @param contextPath empty for an application that has all paths */
    static HttpResponse within(String contextPath, HttpResponse problem) {
        if (contextPath.isEmpty()) return problem;
        List<Headers.Field> placed = new ArrayList<>();
        for (Headers.Field field : problem.headers())
            placed.add(new Headers.Field(field.name(), within(contextPath, field)));
        return new HttpResponse(problem.status(), Headers.of(placed), problem.body(), problem.problem());
    }

    private static String within(String contextPath, Headers.Field field) {
        String value = field.value();
        if (field.name().equalsIgnoreCase("Link") && value.startsWith("</."))
            return "<" + contextPath + value.substring(1);
        if (field.name().equalsIgnoreCase("Location") && value.startsWith("/.")) return contextPath + value;
        return value;
    }
}
