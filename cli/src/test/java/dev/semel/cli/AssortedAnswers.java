package dev.semel.cli;

import dev.semel.cli.HttpMessage.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Answers of all kinds that are final: with and without a body, short and long, text and not, success and failure. */
final class AssortedAnswers {
    private static final List<String> STATUSES = List.of(
            "200 OK",
            "201 Created",
            "202 Accepted",
            "204 No Content",
            "303 See Other",
            "402 Payment Required",
            "404 Not Found",
            "500 Internal Server Error");
    private static final int[] SIZES = {0, 1, 200, 4095, 4096, 20_000};

    private AssortedAnswers() {}

    static HttpMessage answer(String key, int effect) {
        Random random = new Random(effect);
        String status = STATUSES.get(random.nextInt(STATUSES.size()));
        byte[] body = new byte[SIZES[random.nextInt(SIZES.length)]];
        random.nextBytes(body);
        List<Field> fields = new ArrayList<>();
        fields.add(new Field("Content-Type", "application/octet-stream"));
        fields.add(new Field("X-Effect", Integer.toString(effect)));
        fields.add(new Field("Vary", "Accept"));
        fields.add(new Field("Vary", "Origin"));
        fields.add(new Field("Location", "/v1/orders/" + key));
        if (status.startsWith("204")) body = new byte[0];
        else fields.add(CountingUpstream.length(body));
        return new HttpMessage("HTTP/1.1 " + status, fields, body);
    }
}
