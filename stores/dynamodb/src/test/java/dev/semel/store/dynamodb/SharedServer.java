package dev.semel.store.dynamodb;

import dev.semel.testkit.dynamodb.DynamoDbServer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** One server in memory for the whole run: started when first asked for, ended when the last test is over. */
final class SharedServer implements BeforeAllCallback, AutoCloseable {
    private static @Nullable DynamoDbServer running;

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(Namespace.GLOBAL).getOrComputeIfAbsent(SharedServer.class, key -> this);
    }

    static synchronized DynamoDbServer get() {
        if (running == null) running = DynamoDbServer.startInMemory(Path.of("target", "shared-server"));
        return running;
    }

    @Override
    public void close() {
        synchronized (SharedServer.class) {
            if (running != null) running.close();
            running = null;
        }
    }
}
