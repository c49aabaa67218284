package dev.semel.cli;

import dev.semel.cli.AdminClient.Told;
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
        Told told = admin.client().get(key.target("", body ? Map.of("body", "true") : Map.of()));
        if (told.isRefusal()) return Refusal.print(told, admin.json());
        if (admin.json()) System.out.println(told.text());
        else KeyPage.print(told.members(), System.out);
        return 0;
    }
}
