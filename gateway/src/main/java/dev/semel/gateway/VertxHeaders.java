package dev.semel.gateway;

import dev.semel.http.Headers;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Headers in and out of the framework. */
final class VertxHeaders {
    private VertxHeaders() {}

    static Headers read(MultiMap from) {
        List<Headers.Field> fields = new ArrayList<>(from.size());
        for (Map.Entry<String, String> entry : from) fields.add(new Headers.Field(entry.getKey(), entry.getValue()));
        return Headers.of(fields);
    }

    static void write(Headers headers, MultiMap to) {
        for (Headers.Field field : headers) to.add(field.name(), field.value());
    }
}
