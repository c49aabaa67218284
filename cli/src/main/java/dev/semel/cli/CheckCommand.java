package dev.semel.cli;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.key.Guarantee;
import dev.semel.gateway.GuaranteeCheck;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.TraitsText;
import dev.semel.gateway.config.ConfigWarnings;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.RouteSettings;
import dev.semel.gateway.config.ServiceExposure;
import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.gateway.config.WebhookSettings;
import dev.semel.http.DurationText;
import dev.semel.http.Guard;
import dev.semel.http.KeyMode;
import dev.semel.http.KeyRule;
import dev.semel.http.KeySource;
import dev.semel.http.OrderRule;
import dev.semel.http.ProbeRule;
import dev.semel.http.StatusMeaning;
import dev.semel.http.StatusRules;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "check",
        description = "Checks a configuration, and explains in plain words what it promises.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "What 'semel serve' is given besides, as options or SEMEL_* variables, is taken into account here too."
        })
final class CheckCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "the configuration")
    private @Nullable Path file;

    @Mixin
    private GatewayOptions gateway = new GatewayOptions();

    private final Set<StatusRules> explained = new HashSet<>();

    @Override
    public Integer call() {
        if (file == null) throw new UsageProblem("Name the file to check.");
        GatewayConfig config = gateway.over(file);
        PrintStream out = System.out;
        out.println(file + " is valid.");
        out.println();
        out.println("Clients connect to " + config.listen() + (config.tls() == null ? "" : " (TLS)") + ", operators to "
                + config.admin().listen()
                + (config.admin().token() == null ? " (from this machine only)." : " (with the admin token)."));
        out.println("Requests go to " + config.upstream().urls() + "; keys are kept in "
                + ServeCommand.safe(config.store()) + ":");
        for (String sentence : TraitsText.sentences(StoreUrls.declared(config.store()))) out.println("  " + sentence);
        if (config.storeBefore() != null)
            out.println("Keys that are still in " + ServeCommand.safe(config.storeBefore())
                    + " are brought over when they are asked for; until nothing is left there, both must answer.");
        if (config.encryption() != null)
            out.println("Outcomes are encrypted with the key '"
                    + config.encryption().active() + "'.");
        out.println(ServiceExposure.of(config).explained());
        for (RouteSettings route : config.allRoutes()) explain(route, config.upstream(), out);
        for (WebhookSettings webhook : config.webhooks().all()) explain(webhook, out);
        for (String caution : ConfigWarnings.of(config)) {
            out.println();
            out.println("Warning: " + caution);
        }
        String broken = GuaranteeCheck.broken(config);
        if (broken == null) return 0;
        out.println();
        out.println("This gateway will not start: " + broken);
        return 1;
    }

    private static void explain(WebhookSettings webhook, PrintStream out) {
        out.println();
        out.println("POST " + webhook.path());
        int secrets = webhook.secrets().size();
        out.println("  webhooks, verified as " + webhook.scheme().name().toLowerCase(Locale.ROOT) + " signs, with "
                + (secrets == 1 ? "one secret" : secrets + " secrets")
                + (webhook.tolerance() == null
                        ? "; what is signed holds no time"
                        : "; at most " + DurationText.of(webhook.tolerance()) + " old"));
        out.println("  stored before they are acknowledged; the same id within " + DurationText.of(webhook.remember())
                + " is a duplicate");
        out.println("  delivered to " + webhook.deliverTo() + " of the upstream at least once, with the same id, "
                + (webhook.key() == null
                        ? "in no order"
                        : "those with the same " + webhook.key() + " in the order in which they were stored")
                + "; nobody else can send there");
    }

    private void explain(RouteSettings route, UpstreamSettings otherwise, PrintStream out) {
        UpstreamSettings upstream = route.upstream() == null ? otherwise : route.upstream();
        out.println();
        out.println(route.pattern());
        KeyMode key = route.policy().key();
        String method = route.pattern().method();
        if (Guard.isSafe(method)) {
            out.println("  " + method + " requests pass through; nothing is stored");
            return;
        }
        if (method.equals("*") && key != KeyMode.OFF)
            out.println("  GET, HEAD, OPTIONS and TRACE requests pass through; for the others:");
        if (key == KeyMode.OFF) {
            OrderRule order = route.policy().order();
            out.println(order == null ? "  passes through; nothing is stored" : "  takes no key; stores only versions");
            if (order != null) order(order, out);
            return;
        }
        ClaimPolicy claims = route.policy().claims();
        out.println(
                key == KeyMode.REQUIRED
                        ? "  a request without an Idempotency-Key is refused (400)"
                        : "  a request without an Idempotency-Key passes unguarded");
        keys(route.policy().keys(), out);
        out.println(
                claims.guarantee() == Guarantee.AT_MOST_ONCE
                        ? "  at most once: after a crash or a lost answer the key is in doubt and never runs again by"
                                + " itself"
                        : "  at least once: after a crash or a lost answer the next attempt runs it again, with a"
                                + " higher fencing token; the API must take the same key twice, or check the token");
        if (claims.guarantee() == Guarantee.AT_MOST_ONCE) doubts(route.policy().probe(), upstream, out);
        OrderRule order = route.policy().order();
        if (order != null) order(order, out);
        out.println(
                claims.waitFor().isZero()
                        ? "  a duplicate in flight is told so at once (409)"
                        : "  a duplicate in flight waits up to " + DurationText.of(claims.waitFor())
                                + " for the answer, then 409");
        out.println("  an answer is replayed for " + DurationText.of(claims.retention()) + "; for "
                + DurationText.of(claims.tombstone()) + " after that a late retry is refused (410)");
        out.println("  a gateway silent for " + DurationText.of(claims.lease()) + " counts as dead");
        statuses(route.policy().statuses(), out);
    }

    /** Rules that several routes share are explained once. */
    private void statuses(StatusRules rules, PrintStream out) {
        boolean isNew = explained.add(rules);
        out.println("  statuses: " + rules.name() + (isNew ? "" : ", as above"));
        if (isNew) for (String sentence : StatusMeaning.of(rules)) out.println("    " + sentence);
    }

    private static void keys(KeyRule keys, PrintStream out) {
        if (!keys.source().equals(KeySource.DEFAULT)) out.println("  the key is taken from " + keys.source());
        if (keys.syntax() != null)
            out.println("  a key must be " + keys.syntax().describe());
        if (keys.age() != null)
            out.println("  a key that carries its time (UUIDv7) is refused when it is older than "
                    + DurationText.of(keys.age().max()));
    }

    private static void doubts(@Nullable ProbeRule probe, UpstreamSettings upstream, PrintStream out) {
        if (probe == null) {
            out.println("  a doubt ends by a late answer, or by an operator: semel keys resolve");
            return;
        }
        out.println("  a doubt is ended by asking " + probe.method() + " " + probe.path() + ", at the earliest "
                + DurationText.of(probe.after()) + " after it began: " + probe.found() + " means it happened, "
                + probe.absent() + (probe.absentIfEmpty() ? " or nothing at " + probe.outcome() : "")
                + " that it did not, so that it may run again");
        if (probe.after().compareTo(upstream.timeout()) < 0)
            out.println("  note: it asks before the upstream's time-out of " + DurationText.of(upstream.timeout())
                    + " is over; 'after' must be longer than the API may take to begin with a request");
    }

    private static void order(OrderRule order, PrintStream out) {
        out.println("  a write is refused (409) when its version, " + order.version()
                + ", is lower than the last one let through to the same path"
                + (order.perTenant() ? " by the same tenant" : ", whoever sent it") + "; remembered for "
                + DurationText.of(order.keep()));
    }
}
