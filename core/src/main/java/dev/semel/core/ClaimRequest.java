package dev.semel.core;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;

/** A wish to be the one that runs the operation. */
public record ClaimRequest(KeyId id, Fingerprint fingerprint, ClaimPolicy policy) {}
