package dev.semel.torture.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Random;

/** Changes to the parts of a request, so that it is still nearly one. */
final class PartMutations {
    private static final String[] METHODS = {
        "post",
        "Post",
        "POST ",
        " POST",
        "OPTIONS",
        "TRACE",
        "CONNECT",
        "DELETE",
        "PATCH",
        "PO ST",
        "P\u00d6ST",
        "X".repeat(300),
        "HEAD",
        "!#$%&'*+-.^_`|~",
        "PRI",
        ""
    };
    private static final String[] TARGETS = {
        "/",
        "",
        "*",
        "//fuzz/charges",
        "/fuzz//charges",
        "/fuzz/./charges",
        "/fuzz/../fuzz/charges",
        "/fuzz/charges/",
        "/fuzz/charges?",
        "/fuzz/charges?a=1&a=2",
        "/fuzz/charges#x",
        "/fuzz/%63harges",
        "/fuzz%2fcharges",
        "/fuzz/charges%",
        "/fuzz/charges%0",
        "/fuzz/charges%zz",
        "/fuzz/charges%00",
        "/fuzz/charges%0d%0aX-Y:%201",
        "/fuzz/charges;v=1",
        "/fuzz/ch\u00e4rges",
        "/fuzz/charges?q=\u00ff",
        "http://localhost/fuzz/charges",
        "http://other:99/fuzz/charges",
        "localhost:80",
        "/fuzz/charges?" + "q".repeat(9_000),
        "/" + "a/".repeat(3_000),
        "/fuzz\\charges",
        "/.semel/v1/keys/",
        "/.semel/v1/keys/%zz?operation=x",
        "/.semel/v1/keys/a?operation=%",
        "/.semel/v1/keys/a?operation=POST%20/x&wait=1d",
        "/.semel/v1/keys/a?wait=x&operation=POST%20/x",
        "/.semel/../fuzz/charges",
        "/.well-known/idempotency?x",
        "/%2e%2e/x"
    };
    private static final String[] LINES = {
        "Host: localhost",
        "Host:",
        "Host: a b",
        "Content-Length: 0",
        "Content-Length: 5",
        "Content-Length: 99999999999",
        "Content-Length: -1",
        "Content-Length: 1, 1",
        "Transfer-Encoding: chunked",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: identity",
        "Transfer-Encoding : chunked",
        "Connection: close",
        "Connection: upgrade, close",
        "Connection: Host",
        "Connection: Idempotency-Key",
        "Connection: Content-Length",
        "Upgrade: h2c",
        "HTTP2-Settings: AAMAAABkAAQAAP__",
        "Upgrade: websocket",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Expect: 100-continue",
        "Expect: 200-ok",
        "Trailer: X",
        "TE: trailers",
        "Content-Encoding: gzip",
        "Content-Type: application/json; charset=x",
        "Content-Type: ",
        "Content-Type: a/b/c",
        "Content-Type: text/plain",
        "Accept: text/html;q=x, */*;q=-1",
        "Accept: ,,,",
        "Forwarded: for=\"",
        "X-Forwarded-For: \u00ff",
        "Semel-Attempt: 7",
        "Semel-Fencing-Token: 1",
        "Semel-Outcome: release",
        "Range: bytes=0-1",
        ": x",
        "X",
        "X :y",
        " folded",
        "\tfolded",
        "X-Long: " + "y".repeat(3_000),
        "X-Longer: " + "y".repeat(40_000),
        "X-Nul: a\0b",
        "X-Cr: a\rb",
        "X-Lf: a\nb"
    };
    private static final String[] KEYS = {
        "",
        "\"\"",
        "\"",
        "\"a",
        "a\"",
        "\"a\\\"b\"",
        "\"a\\x\"",
        "a b",
        "a,b",
        "\u00e4",
        "k".repeat(255),
        "k".repeat(256),
        "k".repeat(5_000),
        "\"" + "k".repeat(255) + "\"",
        "a;b=1",
        "\"a\";b=1",
        ":YWJj:",
        "?1",
        "1.5",
        "a\tb",
        "%00",
        "../../etc",
        "a\0b"
    };
    private static final String[] BODIES = {
        "",
        "{",
        "}",
        "[]",
        "null",
        "\"",
        "{\"a\":1,\"a\":2}",
        "{\"a\":1e999999}",
        "{\"a\":-0}",
        "[1e400,0.1,1E+2,100]",
        "{\"\\ud800\":1}",
        "[" + "[".repeat(3_000) + "]".repeat(3_000) + "]",
        "{\"a\":" + "9".repeat(5_000) + "}",
        "\ufeff{}",
        "{\"a\":\"\0\"}",
        "{} {}",
        "nul",
        "{\"amount\":1,}",
        "'a'",
        "/* */{}",
        "x".repeat(2_000_000)
    };

    private PartMutations() {}

    static void change(Draft draft, Random random) {
        switch (random.nextInt(13)) {
            case 0 -> draft.method = pick(METHODS, random);
            case 1 -> draft.target = pick(TARGETS, random);
            case 2, 3, 4 -> draft.headers.add(random.nextInt(draft.headers.size() + 1), pick(LINES, random));
            case 5 -> draft.key(pick(KEYS, random));
            case 6 -> draft.headers.add(draft.headers.get(random.nextInt(draft.headers.size())));
            case 7 -> Collections.shuffle(draft.headers, random);
            case 8 -> draft.headers.removeIf(line -> random.nextInt(2) == 0);
            case 9 -> draft.body = body(random);
            case 10 -> draft.body = ByteMutations.change(draft.body, random);
            case 11 ->
                draft.version = pick(
                        new String[] {"HTTP/1.0", "HTTP/2.0", "HTTP/1.2", "http/1.1", "HTTP/1.10", "", "X"}, random);
            default -> many(draft, random);
        }
        if (draft.headers.isEmpty()) draft.headers.add("Host: localhost");
    }

    /** Large ones are rare, for they take long. */
    private static byte[] body(Random random) {
        String text = pick(BODIES, random);
        if (text.length() > 100_000 && random.nextInt(10) > 0) text = "{}";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void many(Draft draft, Random random) {
        int count = 1 << random.nextInt(11);
        for (int i = 0; i < count; i++) draft.headers.add("X-" + i + ": " + random.nextInt());
    }

    private static String pick(String[] from, Random random) {
        return from[random.nextInt(from.length)];
    }
}
