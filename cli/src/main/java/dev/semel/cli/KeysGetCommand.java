package dev.semel.cli;

import dev.semel.cli.AdminClient.Reply;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "get",
        description = "Tells the whole story of a key.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class KeysGetCommand implements Callable<Integer> {
    @Mixin
    private KeyOptions key = new KeyOptions();

    @Option(names = "--body", description = "with the body of the recorded answer")
    private boolean body;

    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Override
    public Integer call() {
        Reply reply = admin.client().get(key.target("", body ? Map.of("body", "true") : Map.of()));
        if (reply.isRefusal()) return Refusal.print(reply, admin.json());
        if (admin.json()) System.out.println(reply.text());
        else KeyDetails.print(reply.members(), System.out);
        return 0;
    }
}
