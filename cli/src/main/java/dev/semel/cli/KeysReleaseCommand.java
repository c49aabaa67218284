package dev.semel.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "release",
        description = "Frees a key whose operation did not happen, so that the next attempt runs it. Needs a --reason.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class KeysReleaseCommand implements Callable<Integer> {
    @Mixin
    private KeyOptions key = new KeyOptions();

    @Mixin
    private ChangeOptions change = new ChangeOptions();

    @Option(
            names = "--force",
            description = "also while an attempt runs; if that goes on after all, the operation may happen twice")
    private boolean force;

    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Override
    public Integer call() {
        byte[] body = change.requireReason().json(out -> {
            if (force) out.writeBooleanField("force", true);
        });
        return ChangeOutput.print(admin.client().post(key.target("release", Map.of()), body), admin.json());
    }
}
