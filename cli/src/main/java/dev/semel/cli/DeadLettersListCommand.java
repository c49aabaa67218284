package dev.semel.cli;

import dev.semel.messaging.DeadLetters;
import dev.semel.messaging.letter.DeadLetter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "Lists dead letters in their order, without their payloads.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class DeadLettersListCommand implements Callable<Integer> {
    @Mixin
    private LetterFilterOptions filter = new LetterFilterOptions();

    @Option(names = "--limit", paramLabel = "N", description = "at most so many (default: 100)")
    private int limit = 100;

    @Option(names = "--after", paramLabel = "POSITION", description = "go on where the last list ended")
    private long after;

    @Mixin
    private OutboxOptions outbox = new OutboxOptions();

    @Override
    public Integer call() {
        if (limit < 1 || limit > 10_000)
            throw new UsageProblem("--limit is a number from 1 to 10000, not " + limit + ".");
        return outbox.run(it -> print(DeadLetters.of(it).list(filter.filter(), after, limit)));
    }

    private int print(List<DeadLetter> letters) {
        if (outbox.json()) System.out.println(LetterOutput.json(letters, false));
        else if (letters.isEmpty())
            System.out.println(filter.isEmpty() ? "There are no dead letters." : "No dead letter is like that.");
        else LetterOutput.table(letters).forEach(System.out::println);
        if (!outbox.json() && letters.size() == limit)
            System.out.println("There may be more: --after " + letters.getLast().position());
        return 0;
    }
}
