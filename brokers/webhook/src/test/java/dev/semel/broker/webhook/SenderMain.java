package dev.semel.broker.webhook;

import dev.semel.broker.webhook.delivery.SenderSettings;
import dev.semel.broker.webhook.delivery.WebhookEvent;
import dev.semel.broker.webhook.http.AddressRange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A process that sends webhooks until it is killed. */
final class SenderMain {
    private SenderMain() {}

    public static void main(String[] args) throws Exception {
        WebhookSettings settings = WebhookSettings.standard()
                .with(SenderSettings.DEFAULT.allowingPlain(true).withIdle(Duration.ofMillis(10)))
                .allowing(List.of(AddressRange.parse("127.0.0.0/8")));
        try (var database = SharedPostgres.pool(args[0]);
                var broker = WebhookBroker.open(database, settings, WebhookEvent.Listener.NONE)) {
            // Ends with whoever started it, if it is not killed.
            while (System.in.read() >= 0) System.out.println(broker.name());
        }
    }

    static Process start(String databaseUrl, Path folder) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SenderMain.class.getName(),
                        databaseUrl)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
