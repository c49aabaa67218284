package dev.semel.http.tenant;

/** Signing keys could not be loaded, so whether a token is good cannot be told. */
final class KeysUnavailableException extends Exception {
    KeysUnavailableException(String message) {
        super(message);
    }
}
