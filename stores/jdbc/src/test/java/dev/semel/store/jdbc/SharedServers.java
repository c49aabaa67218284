package dev.semel.store.jdbc;

import dev.semel.testkit.postgres.PostgresServer;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * One server of each version for the whole run: started when first asked for, ended when the last test is over. Nobody
 * pulls its plug, so it need not wait for the disk.
 */
final class SharedServers implements BeforeAllCallback, AutoCloseable {
    private static final Map<PostgresVersion, Running> RUNNING = new EnumMap<>(PostgresVersion.class);

    private record Running(Folder folder, PostgresServer server) {}

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(Namespace.GLOBAL).getOrComputeIfAbsent(SharedServers.class, key -> this);
    }

    static synchronized PostgresServer of(PostgresVersion version) {
        return RUNNING.computeIfAbsent(version, SharedServers::start).server();
    }

    private static Running start(PostgresVersion version) {
        Folder folder = Folder.inTarget();
        return new Running(
                folder,
                version.start(
                        folder.path(),
                        "max_connections=200",
                        "fsync=off",
                        "shared_preload_libraries=pg_stat_statements"));
    }

    @Override
    public void close() {
        synchronized (SharedServers.class) {
            for (Running each : RUNNING.values()) {
                each.server().close();
                each.folder().close();
            }
            RUNNING.clear();
        }
    }
}
