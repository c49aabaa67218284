package dev.semel.cli;

import dev.semel.broker.webhook.endpoint.NewSecret;
import picocli.CommandLine.Option;

/** What kind of secret is made, and how it is shown. */
final class SecretOptions {
    @Option(
            names = "--ed25519",
            description = "sign with a private key; the receiver gets the public one (default: a shared secret)")
    private boolean ed25519;

    NewSecret.Kind kind() {
        return ed25519 ? NewSecret.Kind.ED25519 : NewSecret.Kind.HMAC;
    }

    /** The only time that it is shown. */
    static void print(NewSecret secret) {
        System.out.println("What its receiver verifies with, shown only now: " + secret.verifying());
    }
}
