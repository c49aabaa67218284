package dev.semel.examples.demo;

import java.net.URI;
import java.util.List;

/** Where everything listens, and a command to take part. */
record Places(URI gateway, URI admin, URI service, URI twin) {
    private static final URI NOT_YET = URI.create("http://127.0.0.1:0");
    static final Places NOWHERE = new Places(NOT_YET, NOT_YET, NOT_YET, NOT_YET);

    static Places of(Demo.Cast cast) {
        return new Places(
                cast.gateway().url(),
                cast.gateway().adminUrl(),
                cast.service().url(),
                cast.twin().url());
    }

    List<String> lines() {
        return List.of(
                "with Semel: gateway " + gateway + " (admin " + admin.getPort() + ") -> payments " + service.getPort(),
                "without:    payments " + twin,
                "Join in, twice: curl -i " + gateway + "/v1/charges \\",
                "  -H 'Content-Type: application/json' -H 'Idempotency-Key: mine-1' \\",
                "  -d '{\"amount\": 1999, \"currency\": \"eur\", \"customer\": \"me\"}'");
    }
}
