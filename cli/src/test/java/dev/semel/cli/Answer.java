package dev.semel.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.semel.admin.JsonTree;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a client was told. */
record Answer(int status, List<HttpMessage.Field> headers, byte[] body) {
    private static final Set<String> OF_ONE_CONNECTION = Set.of("connection", "keep-alive", "transfer-encoding");
    private static final Pattern PROBLEM = Pattern.compile("\"type\":\"urn:semel:problem:([a-z-]+)\"");

    static Answer of(HttpMessage message) {
        return new Answer(Integer.parseInt(message.startLine().split(" ", 3)[1]), message.fields(), message.body());
    }

    String header(String name) {
        return new HttpMessage("", headers, body).first(name);
    }

    boolean isSuccess() {
        return status / 100 == 2;
    }

    boolean isReplay() {
        return header("Idempotent-Replayed").equals("true");
    }

    /** The name of Semel's own problem; empty when the answer is the upstream's. */
    String problem() {
        if (!header("Content-Type").equals("application/problem+json")) return "";
        Matcher type = PROBLEM.matcher(text());
        return type.find() ? type.group(1) : "";
    }

    /** The status with the problem, such as {@code 409 in-progress}. */
    String summary() {
        return (status + " " + problem()).strip();
    }

    /** A member of the JSON object that the body is; empty when it has no such. */
    String get(String member) {
        Object value = JsonTree.readObject(body).get(member);
        return value == null ? "" : value.toString();
    }

    String text() {
        return new String(body, ISO_8859_1);
    }

    /** All that must be the same in every answer of a key: status, end-to-end headers and each byte of the body. */
    String essence() {
        String fields = headers.stream()
                .filter(field -> !OF_ONE_CONNECTION.contains(field.name().toLowerCase(Locale.ROOT)))
                .filter(field -> !field.name().equalsIgnoreCase("Idempotent-Replayed"))
                .map(field -> field.name() + ": " + field.value())
                .sorted()
                .collect(Collectors.joining("\n"));
        return status + "\n" + fields + "\n\n" + text();
    }
}
