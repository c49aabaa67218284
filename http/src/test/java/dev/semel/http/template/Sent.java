package dev.semel.http.template;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A made-up request. */
record Sent(String key, Map<String, List<String>> headers, String json) implements Values {
    static Sent headers(Map<String, String> headers) {
        Map<String, List<String>> lists = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, value) -> lists.put(name, List.of(value)));
        return new Sent(null, lists, "");
    }

    Sent withBody(String body) {
        return new Sent(key, headers, body);
    }

    Sent withKey(String key) {
        return new Sent(key, headers, json);
    }

    @Override
    public List<String> headers(String name) {
        return headers.getOrDefault(name, List.of());
    }

    @Override
    public byte[] body() {
        return json.getBytes(UTF_8);
    }
}
