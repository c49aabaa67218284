package dev.semel.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Outcome;
import dev.semel.http.json.CanonicalJson;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What the gateway computes for a request: its key, its fingerprint, and the form in which an answer is kept. */
@State(Scope.Thread)
public class HttpPartsBench {
    private static final String BODY = """
        {"amount":1999,"currency":"eur","customer":"cus_7f3a9b21","description":"Order 10442, two items",\
        "capture":true,"metadata":{"order":"10442","channel":"web","locale":"de-AT"}}\
        """;
    private static final String ANSWER = """
        {"id":"ch_3f9d2c7a41b84e6f","object":"charge","amount":1999,"currency":"eur","customer":"cus_7f3a9b21",\
        "status":"succeeded","captured":true,"created":1767225600,"receipt":"https://pay.example/r/3f9d2c7a4"}\
        """;

    private final byte[] body = BODY.getBytes(UTF_8);
    private final Headers bare = headers("7f3a9b21-3f9d-4c7a-81b8-4e6f00000001");
    private final Headers quoted = headers("\"7f3a9b21-3f9d-4c7a-81b8-4e6f00000001\"");
    private final HttpRequest request = new HttpRequest("POST", "/v1/charges", "expand=customer&a=1", bare, body);
    private final HttpRequest bytes = new HttpRequest("POST", "/v1/charges", null, Headers.NONE, body);
    private final StoredResponse answer = StoredResponse.whole(new HttpResponse(
            200,
            Headers.of(List.of(
                    new Headers.Field("Content-Type", "application/json"),
                    new Headers.Field("Request-Id", "req_8f7a6b5c4d3e2f"))),
            ANSWER.getBytes(UTF_8)));
    private final Outcome stored = ResponseCodec.encode(answer);
    private final CanonicalJson json = CanonicalJson.whole();

    private static Headers headers(String key) {
        return Headers.of(List.of(
                new Headers.Field("Host", "127.0.0.1"),
                new Headers.Field("Authorization", "Bearer sk_bench_4eC39HqLyjWDarjtT1zdp7dc"),
                new Headers.Field("Content-Type", "application/json"),
                new Headers.Field("Idempotency-Key", key)));
    }

    @Benchmark
    public KeyReading keyHeaderBare() {
        return IdempotencyKey.read(bare, IdempotencyKey.HEADER);
    }

    @Benchmark
    public KeyReading keyHeaderQuoted() {
        return IdempotencyKey.read(quoted, IdempotencyKey.HEADER);
    }

    @Benchmark
    public Fingerprint fingerprintOfJson() {
        return RequestFingerprint.DEFAULT.of(request);
    }

    @Benchmark
    public Fingerprint fingerprintOfBytes() {
        return RequestFingerprint.DEFAULT.of(bytes);
    }

    @Benchmark
    public byte[] canonicalJson() {
        return json.of(body);
    }

    @Benchmark
    public Outcome responseEncode() {
        return ResponseCodec.encode(answer);
    }

    @Benchmark
    public StoredResponse responseDecode() {
        return ResponseCodec.decode(stored);
    }

    @Benchmark
    public String jsonOutcome() {
        return JsonOutcome.text(JsonOutcome.of(ANSWER));
    }
}
