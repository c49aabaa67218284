package dev.semel.cli;

import dev.semel.broker.webhook.endpoint.Endpoint;
import dev.semel.broker.webhook.endpoint.MessageFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What can be chosen for an endpoint; what is not given stays as it is. */
final class EndpointOptions {
    @Option(
            names = "--topic",
            paramLabel = "T",
            description =
                    "only messages of this topic, or of all that begin with it: 'order.*'; may be given several times")
    private List<String> topics = new ArrayList<>();

    @Option(names = "--type", paramLabel = "T", description = "only messages of this type; as --topic")
    private List<String> types = new ArrayList<>();

    @Option(
            names = "--tenant",
            paramLabel = "T",
            description = "only messages whose header 'tenant' is this (default: all messages)")
    private @Nullable String tenant;

    @Option(
            names = "--in-order",
            negatable = true,
            description = "messages of one topic and key one after another; a failing one holds back its key")
    private @Nullable Boolean inOrder;

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "for one request (default: 15)")
    private @Nullable Integer timeout;

    @Option(
            names = "--max-age",
            paramLabel = "HOURS",
            description = "a delivery that is older is not tried again (default: 168)")
    private @Nullable Integer maxAge;

    Endpoint.Plan over(Endpoint.Plan before) {
        Endpoint.Plan plan = before.with(new MessageFilter(
                topics.isEmpty() ? before.filter().topics() : topics,
                types.isEmpty() ? before.filter().types() : types));
        if (tenant != null) plan = plan.ofTenant(tenant);
        if (inOrder != null) plan = plan.inOrder(inOrder);
        if (timeout != null) plan = plan.withTimeout(Duration.ofSeconds(timeout));
        if (maxAge != null) plan = plan.withMaxAge(Duration.ofHours(maxAge));
        return plan;
    }
}
