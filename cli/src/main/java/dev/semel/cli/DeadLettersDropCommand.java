package dev.semel.cli;

import dev.semel.messaging.DeadLetters;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "drop",
        description = "Removes one dead letter for good: its message is never sent. Needs a --reason.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class DeadLettersDropCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ID", description = "the id of the message", converter = MessageId.class)
    private UUID id = new UUID(0, 0);

    @Mixin
    private LetterChangeOptions change = new LetterChangeOptions();

    @Mixin
    private OutboxOptions outbox = new OutboxOptions();

    @Override
    public Integer call() {
        change.require();
        return outbox.run(it -> {
            if (DeadLetters.of(it).drop(id, change.by(), change.reason())) {
                System.out.println(
                        "Dropped " + id + ". What waited behind it comes first now; send it with 'redrive'.");
                return 0;
            }
            System.err.println("semel: There is no dead letter with the id " + id + ", or it is being sent just now.");
            return 1;
        });
    }
}
