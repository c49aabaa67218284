package dev.semel.gateway.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All webhooks of a gateway.
 *
 * @param asked where in the file they are asked for; null when there are none
 */
public record WebhooksSettings(
        List<WebhookSettings> all, @Nullable ConfigProblem asked) {
    public static final WebhooksSettings NONE = new WebhooksSettings(List.of(), null);

    private static final String STORE = "jdbc:postgresql:";

    public WebhooksSettings {
        all = List.copyOf(all);
    }

    /**
     * Why this gateway cannot keep webhooks; null when it can. To be asked when it is known which store counts: the one in the file
     * may be replaced.
     */
    public static @Nullable String flaw(GatewayConfig config) {
        if (config.webhooks().all().isEmpty() || config.store().startsWith(STORE)) return null;
        String why =
                "'webhooks' needs a store in PostgreSQL (" + STORE + "//HOST/DATABASE), for webhooks are stored there"
                        + " before they are acknowledged; the store is " + StoreUrl.withoutSecrets(config.store());
        ConfigProblem asked = config.webhooks().asked();
        return asked == null ? why : new ConfigProblem(asked.file(), asked.line(), asked.column(), why).toString();
    }
}
