package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A look into the server that shares no code with the store. */
final class RawTable implements AutoCloseable {
    private final CqlSession session;

    private RawTable(CqlSession session) {
        this.session = session;
    }

    static RawTable of(int port, String keyspace) {
        DriverConfigLoader patient = DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                .build();
        return new RawTable(CqlSession.builder()
                .addContactPoint(new InetSocketAddress("127.0.0.1", port))
                .withLocalDatacenter("datacenter1")
                .withAuthCredentials("cassandra", "cassandra")
                .withConfigLoader(patient)
                .withKeyspace(keyspace)
                .build());
    }

    /** Of a store's URL. */
    static RawTable of(String url) {
        String tail = url.substring("cassandra://127.0.0.1:".length());
        return of(
                Integer.parseInt(tail.substring(0, tail.indexOf('/'))),
                tail.substring(tail.indexOf('/') + 1, tail.indexOf('?')));
    }

    List<Row> rows(String cql, Object... values) {
        return session.execute(SimpleStatement.newInstance(cql, values)).all();
    }

    /** Finishes what was under way when it was interrupted, as every serial look does. */
    private List<Row> serially(String cql, Object... values) {
        return session.execute(
                        SimpleStatement.newInstance(cql, values).setConsistencyLevel(DefaultConsistencyLevel.SERIAL))
                .all();
    }

    /** The one row of a key; null when there is none. */
    Row row(String columns, String key) {
        List<Row> rows = serially("select " + columns + " from semel_key where id = ?", id(key));
        return rows.isEmpty() ? null : rows.getFirst();
    }

    /** All rows by their ids. */
    Map<ByteBuffer, Row> all(String columns) {
        return rows("select id, " + columns + " from semel_key").stream()
                .collect(Collectors.toMap(row -> row.getByteBuffer("id"), row -> row));
    }

    static ByteBuffer id(String key) {
        return ByteBuffer.wrap(Keys.id(key).digest());
    }

    @Override
    public void close() {
        session.close();
    }
}
