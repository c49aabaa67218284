package dev.semel.cli;

import dev.semel.core.ClaimPolicy;
import dev.semel.core.Guarantee;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.RouteSettings;
import dev.semel.http.DurationText;
import dev.semel.http.KeyMode;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "check",
        description = "Checks a configuration, and explains in plain words what it promises.",
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "the configuration")
    private @Nullable Path file;

    @Override
    public Integer call() {
        if (file == null) throw new UsageProblem("Name the file to check.");
        GatewayConfig config =
                new Settings(null, null, null, null, file, Settings.adminToken(System::getenv)).resolve();
        PrintStream out = System.out;
        out.println(file + " is valid.");
        out.println();
        out.println("Clients connect to " + config.listen() + (config.tls() == null ? "" : " (TLS)") + ", operators to "
                + config.admin().listen()
                + (config.admin().token() == null ? " (from this machine only)." : " (with the admin token)."));
        out.println("Requests go to " + config.upstream().urls() + "; keys are kept in " + config.store() + ".");
        for (RouteSettings route : config.allRoutes()) explain(route, out);
        return 0;
    }

    private static void explain(RouteSettings route, PrintStream out) {
        out.println();
        out.println(route.pattern());
        KeyMode key = route.policy().key();
        if (key == KeyMode.OFF) {
            out.println("  passes through; nothing is stored");
            return;
        }
        ClaimPolicy claims = route.policy().claims();
        out.println(
                key == KeyMode.REQUIRED
                        ? "  a request without an Idempotency-Key is refused (400)"
                        : "  a request without an Idempotency-Key passes unguarded");
        out.println(
                claims.guarantee() == Guarantee.AT_MOST_ONCE
                        ? "  at most once: after a crash or a lost answer the key is in doubt and never runs again by"
                                + " itself"
                        : "  at least once: after a crash or a lost answer the next attempt runs it again, with a"
                                + " higher fencing token");
        out.println(
                claims.waitFor().isZero()
                        ? "  a duplicate in flight is told so at once (409)"
                        : "  a duplicate in flight waits up to " + DurationText.of(claims.waitFor())
                                + " for the answer, then 409");
        out.println("  an answer is replayed for " + DurationText.of(claims.retention()) + "; for "
                + DurationText.of(claims.tombstone()) + " after that a late retry is refused (410)");
        out.println("  statuses: " + route.policy().statuses().name() + "; a gateway silent for "
                + DurationText.of(claims.lease()) + " counts as dead");
    }
}
