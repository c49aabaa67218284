package dev.semel.store.redis;

import dev.semel.testkit.redis.RedisServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** One server for the whole run: started when first asked for, ended when the last test is over. */
final class SharedServer implements BeforeAllCallback, AutoCloseable {
    private static @Nullable Folder folder;
    private static @Nullable RedisServer server;
    private static int prefixes;

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(Namespace.GLOBAL).getOrComputeIfAbsent(SharedServer.class, key -> this);
    }

    static synchronized RedisServer get() {
        if (server != null) return server;
        folder = Folder.inTarget();
        server = RedisServer.start(folder.path());
        return server;
    }

    /** The URL of a store that shares its records with nobody. */
    static synchronized String freshUrl() {
        return get().url() + "?prefix=t" + ++prefixes + ":";
    }

    @Override
    public void close() {
        synchronized (SharedServer.class) {
            if (server != null) server.close();
            if (folder != null) folder.close();
            server = null;
        }
    }
}
