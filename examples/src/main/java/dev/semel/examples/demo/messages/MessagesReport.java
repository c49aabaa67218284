package dev.semel.examples.demo.messages;

import static java.util.Locale.ROOT;

import dev.semel.examples.demo.Demo;
import java.io.PrintStream;
import java.time.Duration;

/** How the demo ended, in plain words. */
record MessagesReport(MessagesSummary end, long seed, Duration duration) {
    void print(PrintStream out) {
        out.println();
        out.printf(
                ROOT,
                "The same %,d orders over equally bad brokers, twice:%n%n",
                end.with().orders());
        for (String line : new MessagesBoard(false, out.charset()).table(end)) out.println(line.stripTrailing());
        out.println();
        if (end.kills() > 0)
            out.println("The shops were killed with kill -9 " + MessagesBoard.times(end.kills())
                    + ", and the relay with them.");
        if (end.crashes() > 0)
            out.println("Billing crashed " + MessagesBoard.times(end.crashes())
                    + ", with invoices committed and not acknowledged.");
        if (end.outages() > 0) out.println("The brokers were away " + MessagesBoard.times(end.outages()) + ".");
        if (end.blackouts() > 0)
            out.println("They lost every answer for 3 seconds, " + MessagesBoard.times(end.blackouts()) + ".");
        MessagesCount bare = end.bare();
        if (!bare.isRight())
            out.printf(
                    ROOT,
                    "Without Semel, %,d orders have no invoice, and %,d invoices were written again.%n",
                    bare.lost(),
                    bare.twice());
        out.println(conclusion(end.with()));
        out.println("The same orders again: " + command());
        out.flush();
    }

    private static String conclusion(MessagesCount with) {
        if (with.orders() == 0) return "With Semel, nothing was ordered.";
        if (with.twice() > 0)
            return String.format(ROOT, "With Semel, %,d invoices were DOUBLE. That must not be.", with.twice());
        if (with.lost() > 0) return String.format(ROOT, "With Semel, %,d orders have NO INVOICE.", with.lost());
        return "With Semel, every order has exactly one invoice.";
    }

    private String command() {
        boolean endless = duration.compareTo(Demo.UNTIL_INTERRUPTED) >= 0;
        return "./semel demo --messages --seed " + seed + (endless ? "" : " --seconds " + duration.toSeconds());
    }
}
