package dev.semel.cli;

import dev.semel.messaging.letter.LetterFilter;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which dead letters are meant. */
final class LetterFilterOptions {
    @Option(names = "--topic", paramLabel = "T", description = "only of this topic")
    private @Nullable String topic;

    @Option(names = "--key", paramLabel = "K", description = "only of this key")
    private @Nullable String key;

    @Option(names = "--type", paramLabel = "T", description = "only messages of this type")
    private @Nullable String type;

    @Option(
            names = "--kind",
            paramLabel = "WORD",
            description = "only where this went wrong, such as too-large; tail: what waits behind another")
    private @Nullable String kind;

    @Option(names = "--error", paramLabel = "TEXT", description = "only where the error holds this text")
    private @Nullable String error;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "parked since then: 2026-01-01T00:00:00Z, or 2h for two hours ago")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "parked before then")
    private @Nullable String until;

    LetterFilter filter() {
        return new LetterFilter(topic, key, type, kind, error, instant("--since", since), instant("--until", until));
    }

    boolean isEmpty() {
        return filter().equals(LetterFilter.ALL);
    }

    private static @Nullable Instant instant(String option, @Nullable String text) {
        if (text == null) return null;
        try {
            if (text.matches("[0-9]{1,9}[smhd]")) return Instant.now().minus(ago(text));
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new UsageProblem(option + " takes a time such as 2026-01-01T00:00:00Z or 30s, 15m, 2h, 7d, not '"
                    + TerminalText.text(text) + "'.");
        }
    }

    private static Duration ago(String text) {
        long number = Long.parseLong(text.substring(0, text.length() - 1));
        return switch (text.charAt(text.length() - 1)) {
            case 's' -> Duration.ofSeconds(number);
            case 'm' -> Duration.ofMinutes(number);
            case 'h' -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
