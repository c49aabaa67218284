package dev.semel.gateway.config;

import java.nio.file.Path;

/** The gateway's own certificate chain and key, in PEM. */
public record TlsSettings(Path certificate, Path key) {}
