package dev.semel.examples.demo;

import java.net.URI;
import java.util.List;

/** Where everything listens, and a command to take part. */
record Addresses(URI gateway, URI admin, URI service, URI twin) {
    private static final URI NO_ADDRESS = URI.create("http://127.0.0.1:0");
    static final Addresses UNKNOWN = new Addresses(NO_ADDRESS, NO_ADDRESS, NO_ADDRESS, NO_ADDRESS);

    static Addresses of(Demo.Participants participants) {
        return new Addresses(
                participants.gateway().url(),
                participants.gateway().adminUrl(),
                participants.service().url(),
                participants.twin().url());
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
