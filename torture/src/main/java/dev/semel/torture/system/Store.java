package dev.semel.torture.system;

import dev.semel.testkit.redis.RedisShards;
import dev.semel.testkit.server.FreePort;
import dev.semel.torture.net.Link;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the gateways keep their keys.
 *
 * @param url for a gateway; of a server with {@code HOST:PORT} in place of its address
 * @param address where the server listens; null when the store is inside of the gateway, or many nodes have addresses of their own
 * @param servers what can be killed and stopped: the server that the run has started, or the shards of its cluster
 * @param database the same when it is PostgreSQL
 * @param host who has started the servers otherwise
 * @param disk the disk below the store, when it has one of its own
 */
public record Store(
        StoreKind kind,
        String url,
        @Nullable InetSocketAddress address,
        List<? extends ManagedProcess> servers,
        @Nullable PostgresProcess database,
        @Nullable ServerHostProcess host,
        @Nullable Disk disk) {
    private static final String ANYWHERE = "HOST:PORT";
    private static final String JDBC = "jdbc:";
    private static final int POSTGRES_PORT = 5432;
    private static final int MARIADB_PORT = 3306;
    private static final int SHARDS = 3;

    /** A folder of the run's own, with this behind it in the URL. */
    public static Store rocks(RunCleanup cleanup, Path folder, String options, boolean ownDisk)
            throws IOException, InterruptedException {
        Disk disk = ownDisk ? Disk.make(cleanup, folder) : null;
        Path keys = (disk == null ? folder : disk.path()).resolve("keys");
        return new Store(StoreKind.ROCKSDB, "rocksdb:" + keys + options, null, List.of(), null, null, disk);
    }

    /** A server of the run's own. */
    public static Store postgres(RunCleanup cleanup, Path folder, boolean ownDisk)
            throws IOException, InterruptedException {
        Disk disk = ownDisk ? Disk.make(cleanup, folder) : null;
        Path place = (disk == null ? folder : disk.path()).resolve("postgres");
        PostgresProcess database = PostgresProcess.start(cleanup, place);
        // A new cluster is made in a hurry, without a sync.
        if (disk != null) disk.sync();
        String url = JDBC + "postgresql://" + ANYWHERE + "/postgres?user=postgres";
        return new Store(StoreKind.POSTGRESQL, url, database.address(), List.of(database), database, null, disk);
    }

    /** A server of the run's own, of one of the other kinds. */
    public static Store hosted(RunCleanup cleanup, ServersProgram program, Path folder, StoreKind kind)
            throws IOException {
        ServerHostProcess host = ServerHostProcess.start(cleanup, program, folder, kind, List.of());
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(host.about()));
        List<HostedServer> servers = List.of(new HostedServer(host, kind.title(), "0"));
        return new Store(kind, hostedUrl(kind), address, servers, null, host, null);
    }

    private static String hostedUrl(StoreKind kind) {
        String skew = "skew=" + StoreKind.SKEW.toSeconds() + "s";
        return switch (kind) {
            case MARIADB -> JDBC + "mariadb://" + ANYWHERE + "/semel?user=root";
            case REDIS -> "redis://" + ANYWHERE;
            case DYNAMODB -> "dynamodb://local/semel-keys?endpoint=http://" + ANYWHERE + "&create=true&" + skew;
            case CASSANDRA -> "cassandra://" + ANYWHERE + "/semel?dc=datacenter1&create=true&" + skew;
            default -> throw new IllegalArgumentException("No server is hosted for " + kind.title() + ".");
        };
    }

    /**
     * A Redis Cluster of the run's own: three masters with a replica each. Its nodes tell clients, and each other's replicas, that they listen
     * where a link leads to them; what they say to each other as a cluster goes another way.
     *
     * @param links where these links are added
     */
    public static Store redisCluster(RunCleanup cleanup, ServersProgram program, Path folder, List<Link> links)
            throws IOException {
        List<String> ports = new ArrayList<>();
        List<String> nodes = new ArrayList<>();
        for (int i = 0; i < 2 * SHARDS; i++) {
            int port = FreePort.pickWith(RedisShards.BUS);
            Link link = Link.open("store-" + (i + 1), new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            links.add(link);
            ports.add(port + ":" + link.port());
            nodes.add("127.0.0.1:" + link.port());
        }
        ServerHostProcess host = ServerHostProcess.start(cleanup, program, folder, StoreKind.REDIS_CLUSTER, ports);
        List<HostedServer> shards = new ArrayList<>();
        for (int i = 0; i < SHARDS; i++) shards.add(new HostedServer(host, "shard-" + (i + 1), Integer.toString(i)));
        String url = "redis-cluster://" + String.join(",", nodes) + "?accept-loss=true";
        return new Store(StoreKind.REDIS_CLUSTER, url, null, shards, null, host, null);
    }

    /** Somebody else's, which is left alone. */
    public static Store given(String url) {
        if (!url.startsWith(JDBC)) return new Store(StoreKind.GIVEN, url, null, List.of(), null, null, null);
        URI uri = URI.create(url.substring(JDBC.length()));
        int usual = uri.getScheme().equals("postgresql") ? POSTGRES_PORT : MARIADB_PORT;
        int port = uri.getPort() < 0 ? usual : uri.getPort();
        String query = uri.getQuery() == null ? "" : "?" + uri.getQuery();
        return new Store(
                StoreKind.GIVEN,
                JDBC + uri.getScheme() + "://" + ANYWHERE + uri.getPath() + query,
                new InetSocketAddress(uri.getHost(), port),
                List.of(),
                null,
                null,
                null);
    }

    /** What a gateway has to say in its configuration so that it takes this store as it is; empty for most. */
    public String settings() {
        // DynamoDB itself keeps what it acknowledges. What stands in for it here says that it survives its own death,
        // and no more.
        return kind == StoreKind.DYNAMODB ? "accept-lost-keys: true\n" : "";
    }

    /** For the environment of a gateway. */
    public Map<String, String> variables() {
        return kind == StoreKind.DYNAMODB
                ? Map.of("AWS_ACCESS_KEY_ID", "local", "AWS_SECRET_ACCESS_KEY", "local")
                : Map.of();
    }

    /** The URL of a database itself, without any link. */
    public String direct() {
        if (address == null) throw new IllegalStateException("This store has no address: " + url);
        return url.replace(ANYWHERE, address.getHostString() + ":" + address.getPort());
    }

    /** The URL over a link on this machine. */
    public String over(int port) {
        return url.replace(ANYWHERE, "127.0.0.1:" + port);
    }

    /** Who is the master of each shard now, by its port; empty where nobody can take over from anybody. */
    public List<String> masters() throws IOException {
        if (host == null || !kind.losesAtFailOver()) return List.of();
        return List.of(host.tell("masters", "").split(" ", -1));
    }

    /** In the orderly way where a server would leave something in the memory of the system. */
    void end() {
        if (database != null) database.close();
    }
}
