package dev.semel.store.dynamodb;

import org.jspecify.annotations.Nullable;

/** No credentials were to be had, so nothing was sent. */
final class NoCredentialsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoCredentialsException(@Nullable Throwable cause) {
        super("no AWS credentials", cause);
    }
}
