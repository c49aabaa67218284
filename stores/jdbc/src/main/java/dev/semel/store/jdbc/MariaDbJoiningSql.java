package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.Next;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What is said to MariaDB in a caller's transaction. Each is one compound statement, so one round trip, and needs neither a
 * procedure nor {@code allowMultiQueries}. Values stand in it as numbers and hexadecimal bytes: whatever the caller's driver and
 * session are set to, they mean the same.
 */
final class MariaDbJoiningSql {
    static final int BUSY = 0;
    static final int ABSENT = 1;

    /** No record has it; the row in which it stands is never to be seen. */
    private static final int NO_REVISION = -1;

    /**
     * An outcome that is still given needs no reserving. Otherwise the key is reserved by a row that is inserted and deleted again,
     * which leaves a lock that ends with the transaction. It takes its lock without waiting: of those who wait for such a lock,
     * several would be let in when the row is rolled back, and meet in a deadlock.
     *
     * <p>That nothing is recorded of the key is not for a snapshot to say, which may be older than the reservation (repeatable read,
     * MariaDB's default), nor for a locking read, which would lock the gap and so hold up other keys. So a row is inserted where it
     * would be; when there is one, it is locked, and can be read as it is now. That keeps claims with a lease out as well. A held
     * key is not locked, for its holder must be able to write it. A key that was freed is: it is about to be written.
     *
     * <p>A session that is serializable locks what it reads, so it does not look before it has reserved.
     */
    private static final String JOIN = """
        begin not atomic
            declare semel_taken, semel_locked, semel_fresh, semel_given int default 0;
            declare semel_state int;
            declare semel_pause double default 0.001;
            declare semel_now bigint default {now};
            declare semel_until bigint default {now} + {patience};
            if @@max_statement_time > 0 then
                set semel_until = least(semel_until, semel_now + @@max_statement_time * 750000);
            end if;
            reserving: loop
                set semel_taken = 0;
                if @@tx_isolation <> 'SERIALIZABLE' then
                    select count(*) into semel_given from semel_key
                        where id = {id} and state = 2 and replay_until > {now} + 1000000;
                end if;
                if semel_given > 0 then
                    leave reserving;
                end if;
                begin
                    declare continue handler for 1205 set semel_taken = 1;
                    {at_once} insert into semel_joining (id) values ({id})
                        on duplicate key update id = semel_joining.id;
                    if semel_taken = 0 then
                        delete from semel_joining where id = {id};
                        if @@tx_isolation <> 'SERIALIZABLE' then
                            select max(state) into semel_state from semel_key where id = {id};
                        end if;
                        if semel_state is null or semel_state = 0 then
                            {at_once} insert into semel_key (id, tenant, operation, client_key, fingerprint,
                                    token, revision, attempt, state, since)
                                values ({id}, {tenant}, '', '', '', 0, {no_revision}, 0, 0, 0)
                                on duplicate key update id = semel_key.id;
                            if semel_taken = 0 then
                                set semel_locked = 1;
                                {at_once} delete from semel_key where id = {id} and revision = {no_revision};
                                set semel_fresh = row_count();
                            end if;
                        end if;
                    end if;
                end;
                set semel_now = {now};
                if semel_taken = 0 or semel_now >= semel_until then
                    leave reserving;
                end if;
                do sleep(semel_pause);
                set semel_pause = least(semel_pause * 2, 0.016);
            end loop;
            set semel_now = {now};
            if semel_taken = 1 then
                select {busy} as found;
            else
                savepoint {savepoint};
                if semel_fresh = 1 then
                    select {absent} as found, semel_now as now;
                elseif semel_locked = 1 then
                    {at_once} select 2 as found, semel_now as now, {columns} from semel_key where id = {id} for update;
                else
                    select 2 as found, semel_now as now, {columns} from semel_key where id = {id};
                end if;
            end if;
        end
        """;

    private final String join;
    private final String update;

    /**
     * @param knowsSnapshotIsolation whether this server can refuse to lock what has changed since a transaction's snapshot; that
     *     would roll back a transaction for having waited, so it is off for these statements
     */
    MariaDbJoiningSql(boolean knowsSnapshotIsolation) {
        String asItIs = knowsSnapshotIsolation ? ", innodb_snapshot_isolation = 0" : "";
        this.update =
                UPDATE.replace("{patience}", Integer.toString(LOCK_PATIENCE)).replace("{as_it_is}", asItIs);
        this.join = JOIN.replace("{at_once}", "set statement innodb_lock_wait_timeout = 0" + asItIs + " for")
                .replace("{columns}", MicrosSql.COLUMNS)
                .replace("{busy}", Integer.toString(BUSY))
                .replace("{absent}", Integer.toString(ABSENT))
                .replace("{no_revision}", Integer.toString(NO_REVISION))
                .replace("{now}", MariaDbSql.NOW);
    }

    /** @param milliseconds how long it may wait */
    String join(KeyId id, long milliseconds, Instant name) {
        return join.replace("{id}", hex(id.digest()))
                .replace("{tenant}", hex(id.tenant()))
                .replace("{savepoint}", savepoint(name))
                .replace("{patience}", milliseconds + " * 1000");
    }

    private static String savepoint(Instant name) {
        return "semel_" + Micros.of(name);
    }

    /**
     * The savepoint is there as long as the transaction is the one that joined the key; releasing it fails when it is not. A key
     * that nobody had written is inserted, any other is written over the very revision that was seen. That the row is
     * another's by now is found as a duplicate, or as no row to update.
     */
    private static final String RECORD = """
        begin not atomic
            declare semel_written int default 1;
            declare semel_now bigint default {now};
            release savepoint {savepoint};
            begin
                declare continue handler for 1062 set semel_written = 0;
                {write}
            end;
            select semel_now as now, semel_written as written;
        end
        """;

    private static final String INSERT = """
        insert into semel_key (id, tenant, operation, client_key, fingerprint, token, revision, attempt, state, since,
                replay_until, forget_at, history, outcome)
            values ({id}, {tenant}, {operation}, {key}, {fingerprint}, {token}, {token}, {attempt}, 2, semel_now,
                semel_now + {replay}, semel_now + {forget}, {history}, {outcome});
        """;

    private static final String UPDATE = """
        set statement innodb_lock_wait_timeout = {patience}{as_it_is} for update semel_key set
            fingerprint = {fingerprint}, token = {token}, revision = revision + 1, attempt = {attempt}, state = 2,
            since = semel_now, replay_until = semel_now + {replay}, forget_at = semel_now + {forget},
            history = {history}, outcome = {outcome}, holder = null, lease_until = null, reason = null,
            doubt_since = null, probe_at = null, probes = null, remote = null, memo = null
        where id = {id} and revision = {seen};
        set semel_written = row_count();
        """;

    /** In seconds. A row that was seen is locked by those who write it with a lease, and they do not take long. */
    private static final int LOCK_PATIENCE = 3;

    String record(KeyId id, @Nullable KeyRecord seen, Instant name, Change stored, Next.Done done) {
        String write = seen == null ? INSERT : update.replace("{seen}", Long.toString(seen.revision()));
        return RECORD.replace("{write}", write)
                .replace("{now}", MariaDbSql.NOW)
                .replace("{savepoint}", savepoint(name))
                .replace("{id}", hex(id.digest()))
                .replace("{tenant}", hex(id.tenant()))
                .replace("{operation}", hex(id.operation()))
                .replace("{key}", hex(id.key()))
                .replace("{fingerprint}", hex(stored.fingerprint().bytes()))
                .replace("{token}", Long.toString(stored.token()))
                .replace("{attempt}", Integer.toString(stored.attempt()))
                .replace("{replay}", Long.toString(Micros.of(done.retention())))
                .replace("{forget}", Long.toString(Micros.of(done.retention().plus(done.tombstone()))))
                .replace("{history}", hex(stored.history().bytes()))
                .replace("{outcome}", hex(done.outcome().encoded()));
    }

    private static String hex(String text) {
        return hex(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String hex(byte[] bytes) {
        return "x'" + HexFormat.of().formatHex(bytes) + "'";
    }
}
