package dev.semel.http.template;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A made-up request. */
record TestValues(String key, Map<String, List<String>> headers, String json) implements Values {
    static TestValues headers(Map<String, String> headers) {
        Map<String, List<String>> lists = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, value) -> lists.put(name, List.of(value)));
        return new TestValues(null, lists, "");
    }

    TestValues withBody(String body) {
        return new TestValues(key, headers, body);
    }

    TestValues withKey(String key) {
        return new TestValues(key, headers, json);
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
