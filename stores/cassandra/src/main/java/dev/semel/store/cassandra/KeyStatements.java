package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** All that is said to Cassandra about keys. Prepared once; every write is a lightweight transaction on one partition. */
final class KeyStatements {
    /** The partitioner of Cassandra gives this token to no key. */
    private static final long BEFORE_ALL = Long.MIN_VALUE;

    /**
     * Writes a record where the revision is still this one; where it is null, only if there is none. What it sets has this time
     * to live, and lost any other. The two comparisons that always hold are there so that the answer to a lost race has the
     * whole record: it has the columns that were compared. ({@code insert … if not exists} would say it shorter; but it leaves a
     * row that outlives its columns.)
     */
    private static final String SWAP = """
        update ${table} using ttl ? set revision = ?, record = ? where id = ?
        if revision = ? and record != 0x and outcome != 0x\
        """;

    /** The same for a finished key, whose outcome expires before the rest: a batch of one partition is one write. */
    private static final String FINISH = """
        begin batch
            ${swap};
            update ${table} using ttl ? set outcome = ? where id = ?;
        apply batch\
        """;

    private static final String FIND = "select revision, record, outcome from ${table} where id = ?";

    /** Keys in the order of their tokens, from this one on, without their outcomes. */
    private static final String PAGE = """
        select id, revision, record, writetime(outcome) as outcome_at from ${table}
        where token(id) >= token(?) limit ?\
        """;

    private static final String FIRST_PAGE = PAGE.replace("token(?)", Long.toString(BEFORE_ALL));

    /** Takes the outcome away where nobody is given it any more. The revision stays: to callers nothing changed. */
    private static final String STRIP = "delete outcome from ${table} where id = ? if revision = ?";

    private static final String REMOVE = "delete from ${table} where id = ? if revision = ?";

    private final PreparedStatement swap;
    private final PreparedStatement finish;
    private final PreparedStatement find;
    private final PreparedStatement page;
    private final PreparedStatement firstPage;
    private final PreparedStatement strip;
    private final PreparedStatement remove;
    private final SerialScope scope;
    private final TimeToLive timeToLive;
    private final Duration timeout;

    KeyStatements(CqlSession session, String keyspace, SerialScope scope, CassandraOptions options) {
        this.scope = scope;
        this.timeToLive = new TimeToLive(options.skew());
        this.timeout = options.requestTimeout();
        String table = keyspace + ".semel_key";
        this.swap = prepare(session, SWAP, table);
        this.finish = prepare(session, FINISH.replace("${swap}", SWAP), table);
        this.find = prepare(session, FIND, table);
        this.page = prepare(session, PAGE, table);
        this.firstPage = prepare(session, FIRST_PAGE, table);
        this.strip = prepare(session, STRIP, table);
        this.remove = prepare(session, REMOVE, table);
    }

    private static PreparedStatement prepare(CqlSession session, String cql, String table) {
        return session.prepare(SimpleStatement.newInstance(cql.replace("${table}", table)));
    }

    /**
     * Writes this record.
     *
     * @param revision the one that must be there; null when nothing must be
     */
    BoundStatement write(KeyRecord record, @Nullable Long revision) {
        ByteBuffer id = id(record.id());
        ByteBuffer bytes = RecordCodec.encode(record);
        if (!(record.state() instanceof KeyState.Done done))
            return changing(swap.boundStatementBuilder(kept(record), record.revision(), bytes, id, revision), id);
        int replayed = timeToLive.seconds(Duration.between(record.since(), done.replayUntil()), record.since());
        ByteBuffer outcome = ByteBuffer.wrap(done.outcome().encoded());
        return changing(
                finish.boundStatementBuilder(
                        kept(record), record.revision(), bytes, id, revision, replayed, outcome, id),
                id);
    }

    /** Of what may not be forgotten, nothing ever expires. */
    private int kept(KeyRecord record) {
        return switch (record.state()) {
            case KeyState.Held it -> TimeToLive.NONE;
            case KeyState.InDoubt it -> TimeToLive.NONE;
            case KeyState.Free it -> until(record, it.forgetAt());
            case KeyState.Done it -> until(record, it.forgetAt());
            case KeyState.Spent it -> until(record, it.forgetAt());
        };
    }

    private int until(KeyRecord record, Instant forgetAt) {
        return timeToLive.seconds(Duration.between(record.since(), forgetAt), record.since());
    }

    BoundStatement find(KeyId key) {
        ByteBuffer id = id(key);
        return routed(find.boundStatementBuilder(id), id)
                .setConsistencyLevel(scope.serial())
                .build();
    }

    /** @param after the digest that the page before ended with; null for the first page. That key may come again */
    BoundStatement page(byte @Nullable [] after, int limit) {
        BoundStatementBuilder builder = after == null
                ? firstPage.boundStatementBuilder(limit)
                : page.boundStatementBuilder(ByteBuffer.wrap(after), limit);
        return builder.setConsistencyLevel(scope.quorum())
                .setTimeout(timeout)
                .setPageSize(limit)
                .build();
    }

    BoundStatement strip(KeyRecord record) {
        return changing(strip.boundStatementBuilder(id(record.id()), record.revision()), id(record.id()));
    }

    BoundStatement remove(KeyRecord record) {
        return changing(remove.boundStatementBuilder(id(record.id()), record.revision()), id(record.id()));
    }

    private BoundStatement changing(BoundStatementBuilder builder, ByteBuffer id) {
        return routed(builder, id)
                .setSerialConsistencyLevel(scope.serial())
                .setConsistencyLevel(scope.quorum())
                .build();
    }

    /** To a replica of the key. Never said to be idempotent, or the driver might ask again by itself. */
    private BoundStatementBuilder routed(BoundStatementBuilder builder, ByteBuffer id) {
        return builder.setRoutingKey(id).setIdempotence(false).setTimeout(timeout);
    }

    private static ByteBuffer id(KeyId key) {
        return ByteBuffer.wrap(key.digest());
    }
}
