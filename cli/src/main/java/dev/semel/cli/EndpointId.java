package dev.semel.cli;

import java.util.UUID;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the id of an endpoint. */
final class EndpointId implements ITypeConverter<UUID> {
    @Override
    public UUID convert(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'" + TerminalText.text(text)
                    + "' is no id of an endpoint; 'semel webhooks endpoints list' shows them.");
        }
    }
}
