package dev.semel.cli;

import dev.semel.messaging.DeadLetters;
import dev.semel.messaging.letter.DeadLetter;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Shows one dead letter with its payload.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class DeadLettersShowCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ID", description = "the id of the message", converter = MessageId.class)
    private UUID id = new UUID(0, 0);

    @Mixin
    private OutboxOptions outbox = new OutboxOptions();

    @Override
    public Integer call() {
        return outbox.run(it -> {
            DeadLetter letter = DeadLetters.of(it).find(id);
            if (letter == null) {
                System.err.println(
                        "semel: There is no dead letter with the id " + id + ". It may have been sent meanwhile.");
                return 1;
            }
            if (outbox.json()) System.out.println(LetterOutput.json(List.of(letter), true));
            else LetterOutput.whole(letter).forEach(System.out::println);
            return 0;
        });
    }
}
