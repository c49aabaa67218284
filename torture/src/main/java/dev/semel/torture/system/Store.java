package dev.semel.torture.system;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the gateways keep their keys.
 *
 * @param url for a gateway; of a database with {@code HOST:PORT} in place of its address
 * @param address where the database listens; null when the store is inside of the gateway
 * @param database the database, when it is the run's own
 * @param disk the disk below the store, when it has one of its own
 */
public record Store(
        String url,
        @Nullable InetSocketAddress address,
        @Nullable PostgresProcess database,
        @Nullable Disk disk) {
    private static final String ANYWHERE = "HOST:PORT";
    private static final String JDBC = "jdbc:";
    private static final int POSTGRES_PORT = 5432;

    /** A folder of the run's own, with this behind it in the URL. */
    public static Store rocks(RunCleanup cleanup, Path folder, String options, boolean ownDisk)
            throws IOException, InterruptedException {
        Disk disk = ownDisk ? Disk.make(cleanup, folder) : null;
        Path keys = (disk == null ? folder : disk.path()).resolve("keys");
        return new Store("rocksdb:" + keys + options, null, null, disk);
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
        return new Store(url, database.address(), database, disk);
    }

    /** Somebody else's, which is left alone. */
    public static Store given(String url) {
        if (!url.startsWith(JDBC)) return new Store(url, null, null, null);
        URI uri = URI.create(url.substring(JDBC.length()));
        int port = uri.getPort() < 0 ? POSTGRES_PORT : uri.getPort();
        String query = uri.getQuery() == null ? "" : "?" + uri.getQuery();
        return new Store(
                JDBC + uri.getScheme() + "://" + ANYWHERE + uri.getPath() + query,
                new InetSocketAddress(uri.getHost(), port),
                null,
                null);
    }

    public boolean isShared() {
        return address != null;
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
}
