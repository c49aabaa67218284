package dev.semel.cli;

import dev.semel.cli.AdminClient.Reply;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "resolve",
        description = {
            "Ends the doubt about a key, in the words of someone who found out.",
            "What did not happen needs a --reason."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "FILE is a whole response, as 'curl -i' prints it, when it starts with HTTP/; else it is the body of one.",
            "From then on every retry of the client is answered with it. What did not happen runs when it is retried.",
        })
final class KeysResolveCommand implements Callable<Integer> {
    @Mixin
    private KeyOptions key = new KeyOptions();

    @ArgGroup(multiplicity = "1")
    private Finding finding = new Finding();

    /** One of the two. */
    static final class Finding {
        @Option(
                names = "--done-with",
                paramLabel = "FILE",
                required = true,
                description = "it did happen, and this was its answer ('-': standard input)")
        private @Nullable String file;

        @Option(names = "--did-not-happen", required = true, description = "it did not happen, and may be tried again")
        private boolean didNotHappen;
    }

    @Mixin
    private ChangeOptions change = new ChangeOptions();

    @Option(names = "--status", paramLabel = "N", description = "the status, when FILE is a body (default: 200)")
    private @Nullable Integer status;

    @Option(
            names = "--content-type",
            paramLabel = "TYPE",
            description = "the same (default: application/json if it is JSON, else application/octet-stream)")
    private @Nullable String contentType;

    @Option(
            names = "--retention",
            paramLabel = "D",
            description = "how long it is replayed (default: as the route says)")
    private @Nullable String retention;

    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Override
    public Integer call() {
        if (finding.didNotHappen && (status != null || contentType != null || retention != null))
            throw new UsageProblem("--status, --content-type and --retention go with --done-with.");
        Reply reply = admin.client().post(key.target("resolve", Map.of()), body());
        return ChangeOutput.print(reply, admin.json());
    }

    private byte[] body() {
        if (finding.file == null) return change.requireReason().json(out -> out.writeStringField("did", "not-happen"));
        ResponseFile answer = ResponseFile.read(finding.file, status, contentType);
        return change.json(out -> {
            out.writeStringField("did", "happen");
            if (retention != null) out.writeStringField("retention", retention);
            answer.write(out);
        });
    }
}
