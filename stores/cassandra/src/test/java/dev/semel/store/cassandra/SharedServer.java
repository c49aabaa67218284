package dev.semel.store.cassandra;

import dev.semel.testkit.cassandra.CassandraServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * One server for the whole run: started when first asked for, ended when the last test is over. It is patient, for contracts
 * are not about time-outs, and a machine may be busy with other tests.
 */
final class SharedServer implements BeforeAllCallback, AutoCloseable {
    static final CassandraOptions PATIENT =
            CassandraOptions.DEFAULT.withRequestTimeout(Duration.ofSeconds(30)).withSkew(Duration.ZERO);

    private static final AtomicInteger KEYSPACES = new AtomicInteger();
    private static Running running;

    private record Running(Folder folder, CassandraServer server) {}

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(Namespace.GLOBAL).getOrComputeIfAbsent(SharedServer.class, key -> this);
    }

    static synchronized CassandraServer server() {
        if (running == null) {
            Folder folder = Folder.inTarget();
            running = new Running(
                    folder,
                    CassandraServer.start(
                            folder.path(),
                            "cas_contention_timeout: 20s",
                            "write_request_timeout: 20s",
                            "read_request_timeout: 20s",
                            "range_request_timeout: 20s"));
        }
        return running.server();
    }

    /** The URL of a keyspace that nobody else uses, and that is made by whoever opens it. */
    static String freshUrl() {
        return server().url("ks" + KEYSPACES.incrementAndGet()) + "&create=true";
    }

    @Override
    public void close() {
        synchronized (SharedServer.class) {
            if (running == null) return;
            running.server().close();
            running.folder().close();
            running = null;
        }
    }
}
