package dev.semel.torture.servers;

import dev.semel.testkit.cassandra.CassandraServer;
import dev.semel.testkit.dynamodb.DynamoDbServer;
import dev.semel.testkit.mariadb.MariaDbServer;
import dev.semel.testkit.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What a run can start and break: one server, or the shards of a cluster. For one thread. */
interface HostedServers extends AutoCloseable {
    /**
     * Starts them, and returns when they are ready.
     *
     * @param ports of the nodes of a cluster; none for a single server, which picks its own
     */
    static HostedServers start(String kind, Path folder, List<String> ports) throws IOException {
        return switch (kind) {
            case "mariadb" -> {
                MariaDbServer server = MariaDbServer.start(folder);
                yield new One(
                        server.port(), server::kill9, server::restart, server::pause, server::resume, server::close);
            }
            case "redis" -> {
                RedisServer server = RedisServer.start(folder);
                yield new One(
                        server.port(), server::kill9, server::restart, server::pause, server::resume, server::close);
            }
            case "redis-cluster" -> RedisClusterHost.start(folder, ports);
            case "dynamodb" -> {
                DynamoDbServer server = DynamoDbServer.start(folder);
                yield new One(
                        server.port(), server::kill9, server::restart, server::pause, server::resume, server::close);
            }
            case "cassandra" -> {
                // With one replica nothing else would survive a kill: by default a write is synced up to 10 s later.
                CassandraServer server =
                        CassandraServer.start(folder, "commitlog_sync: batch", "commitlog_sync_period:");
                yield new One(
                        server.port(), server::kill9, server::restart, server::pause, server::resume, server::close);
            }
            default -> throw new IllegalArgumentException("There is no server '" + kind + "'.");
        };
    }

    /** What whoever asked has to know of them. */
    String about();

    /** @param name which one; a single server has any name */
    void kill(String name);

    /** Returns when it is ready. */
    void restart(String name);

    void pause(String name);

    void resume(String name);

    /** Whether each does its work. */
    default boolean isWell() {
        return true;
    }

    /** What only a cluster can be told. */
    default String tell(String order, String name) {
        throw new IllegalArgumentException("A single server knows no '" + order + "'.");
    }

    @Override
    void close();

    /** A single server, which tells its port. */
    record One(int port, Runnable killing, Runnable restarting, Runnable pausing, Runnable resuming, Runnable closing)
            implements HostedServers {
        @Override
        public String about() {
            return Integer.toString(port);
        }

        @Override
        public void kill(String name) {
            killing.run();
        }

        @Override
        public void restart(String name) {
            restarting.run();
        }

        @Override
        public void pause(String name) {
            pausing.run();
        }

        @Override
        public void resume(String name) {
            resuming.run();
        }

        @Override
        public void close() {
            closing.run();
        }
    }
}
