package dev.semel.gateway;

import dev.semel.gateway.config.ConfigWarnings;
import dev.semel.gateway.config.GatewayConfig;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the configuration of a running gateway again, and says in the log what came of it. */
public final class Reload implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Reload.class);

    private final Gateway gateway;
    private final Supplier<GatewayConfig> source;

    /** @param source reads the configuration; throws with what is wrong with it */
    public Reload(Gateway gateway, Supplier<GatewayConfig> source) {
        this.gateway = gateway;
        this.source = source;
    }

    @Override
    public void run() {
        try {
            GatewayConfig next = source.get();
            List<String> kept = gateway.reload(next);
            for (String caution : ConfigWarnings.of(next)) LOG.warn("{}", caution);
            if (!kept.isEmpty())
                LOG.warn("Changed in the configuration, but only used after a restart: {}", String.join(", ", kept));
            LOG.info(
                    "The configuration is reloaded: {} routes, in front of {}",
                    next.routes().size(),
                    next.upstream().urls());
        } catch (RuntimeException e) {
            LOG.error("The configuration is not reloaded; the old one stays. {}", e.getMessage());
        }
    }
}
