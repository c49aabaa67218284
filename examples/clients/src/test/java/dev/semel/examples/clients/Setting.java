package dev.semel.examples.clients;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.gateway.Gateway;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import java.io.IOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One API, one gateway in front of it, one link in front of that: started once for all tests that ask for it. */
final class Setting implements AutoCloseable {
    final ScriptedApi api = new ScriptedApi();
    final Gateway gateway = Gateway.start(config(), new InMemoryKeyStore());
    final LossyLink link = new LossyLink(gateway.port());

    /** Gives the shared setting to a test. */
    static final class Shared implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Setting.class;
        }

        @Override
        public Setting resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.GLOBAL)
                    .getOrComputeIfAbsent(Setting.class, it -> new Setting(), Setting.class);
        }
    }

    private GatewayConfig config() {
        String yaml = """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            accept-lost-keys: true
            upstream: { url: "%s" }
            routes:
              - { match: POST /v1/charges, key: required, statuses: stripe-v1 }
              - { match: POST /v1/payment_intents, key: required, in-flight: reject }
            """.formatted(api.uri(""));
        return switch (ConfigReader.read(yaml, "clients.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> config;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems + "\n" + yaml);
        };
    }

    @Override
    public void close() throws IOException {
        link.close();
        gateway.close();
        api.close();
    }
}
