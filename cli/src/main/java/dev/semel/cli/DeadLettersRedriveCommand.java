package dev.semel.cli;

import dev.semel.messaging.DeadLetters;
import dev.semel.messaging.letter.LetterFilter;
import dev.semel.messaging.letter.Redrive;
import dev.semel.messaging.tables.LetterTables;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "redrive",
        description = "Sends dead letters again, with the ids that they have always had. Needs a --reason.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "A filter is asked of the first letter of each key; what waits behind it follows, in its order.",
            "First look:   semel dead-letters redrive --kind too-large --dry-run",
            "Then send:    semel dead-letters redrive --kind too-large --canary 5 --rate 50 --reason 'limit raised'",
            "How is it?    semel dead-letters redrive --status",
        })
final class DeadLettersRedriveCommand implements Callable<Integer> {
    private static final int SHOWN = 20;

    @Mixin
    private LetterFilterOptions filter = new LetterFilterOptions();

    @Option(names = "--all", description = "every dead letter; without it a filter is needed")
    private boolean all;

    @Option(names = "--dry-run", description = "only say how many letters would be sent")
    private boolean dryRun;

    @Option(names = "--rate", paramLabel = "N", description = "letters a second at most (default: 100)")
    private int rate = Redrive.Pace.DEFAULT.perSecond();

    @Option(
            names = "--canary",
            paramLabel = "N",
            description = "send so many first; go on only if all were taken, else pause")
    private int canary;

    @Mixin
    private LetterChangeOptions change = new LetterChangeOptions();

    @ArgGroup
    private @Nullable Running running;

    /** What is asked about a redrive that was begun before. */
    static final class Running {
        @Option(names = "--status", description = "show the latest redrives")
        private boolean status;

        @Option(names = "--pause", paramLabel = "NUMBER", description = "stop a redrive for now")
        private @Nullable Long pause;

        @Option(names = "--resume", paramLabel = "NUMBER", description = "let it go on")
        private @Nullable Long resume;

        @Option(
                names = "--cancel",
                paramLabel = "NUMBER",
                description = "end it; what was not sent stays a dead letter")
        private @Nullable Long cancel;
    }

    @Mixin
    private OutboxOptions outbox = new OutboxOptions();

    @Override
    public Integer call() {
        Running asked = running;
        if (asked != null && asked.status) return outbox.run(it -> status(DeadLetters.of(it)));
        if (!dryRun) change.require();
        if (asked != null) return outbox.run(it -> steer(DeadLetters.of(it), asked));
        if (filter.isEmpty() && !all)
            throw new UsageProblem("Say which letters: a filter such as --kind or --topic, or --all.");
        if (rate < 1) throw new UsageProblem("--rate is at least 1 letter a second, not " + rate + ".");
        if (canary < 0) throw new UsageProblem("--canary is not negative.");
        return outbox.run(it -> begin(DeadLetters.of(it), filter.filter()));
    }

    private int begin(DeadLetters letters, LetterFilter which) throws SQLException {
        LetterTables.Count count = letters.dryRun(which);
        String amount = count.letters() + " letters of " + count.keys() + " keys";
        if (dryRun || count.letters() == 0) {
            System.out.println(count.letters() == 0 ? "No dead letter is like that." : "Would send " + amount + ".");
            return 0;
        }
        long number = letters.redrive(which, new Redrive.Pace(rate, canary), change.by(), change.reason());
        System.out.println("Redrive " + number + " sends " + amount + ", as soon as a relay runs.");
        System.out.println("How it is: semel dead-letters redrive --status");
        return 0;
    }

    private int steer(DeadLetters letters, Running asked) throws SQLException {
        Long number = asked.pause != null ? asked.pause : asked.resume != null ? asked.resume : asked.cancel;
        if (number == null) return 0;
        boolean done;
        if (asked.pause != null) done = letters.pause(number, change.by(), change.reason());
        else if (asked.resume != null) done = letters.resume(number, change.by(), change.reason());
        else done = letters.cancel(number, change.by(), change.reason());
        if (!done) System.err.println("semel: Redrive " + number + " is not in a state for that: see --status.");
        return done ? 0 : 1;
    }

    private static int status(DeadLetters letters) throws SQLException {
        List<Redrive> redrives = letters.redrives(SHOWN);
        if (redrives.isEmpty()) System.out.println("There has been no redrive.");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("NUMBER", "STATE", "BEGUN", "BY", "CHOSEN", "TO SEND", "REFUSED", "REASON"));
        for (Redrive it : redrives)
            rows.add(List.of(
                    Long.toString(it.id()),
                    it.state().name().toLowerCase(Locale.ROOT) + (it.note() == null ? "" : ": " + it.note()),
                    TerminalText.time(it.begunAt(), java.time.Instant.now()),
                    TerminalText.text(it.byWhom()),
                    Long.toString(it.chosen()),
                    Long.toString(it.open()),
                    Long.toString(it.refused()),
                    TerminalText.text(it.reason())));
        if (!redrives.isEmpty()) TerminalText.aligned(rows).forEach(System.out::println);
        return 0;
    }
}
