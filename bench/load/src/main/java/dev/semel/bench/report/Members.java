package dev.semel.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The members of a JSON object, of the types that are expected of them. */
record Members(Map<?, ?> json) {
    String text(String name) {
        return (String) value(name);
    }

    double number(String name) {
        return (Double) value(name);
    }

    Members object(String name) {
        return new Members((Map<?, ?>) value(name));
    }

    <T> List<T> list(String name, Function<Members, T> element) {
        return ((List<?>) value(name))
                .stream()
                        .map(each -> element.apply(new Members((Map<?, ?>) each)))
                        .toList();
    }

    List<String> texts(String name) {
        return ((List<?>) value(name)).stream().map(String::valueOf).toList();
    }

    private Object value(String name) {
        return Objects.requireNonNull(json.get(name), "there is no " + name);
    }
}
