package dev.semel.messaging.tables;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What is said to PostgreSQL about the outbox. Each is one statement, so it has one snapshot. */
final class PostgresOutboxSql {
    private PostgresOutboxSql() {}

    static final String APPEND = """
        insert into semel.outbox (shard, message_id, topic, key, type, headers, payload)
        select semel.shard_of(key, message_id), message_id, topic, key, type, headers, payload
        from unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bytea[]) with ordinality
            as appended (message_id, topic, key, type, headers, payload, place)
        order by place
        """;

    /**
     * Sent together with the next statement, as one transaction: tables whose rows come and go look empty to the planner, and it
     * would then read all of one that is not.
     */
    static final String BY_INDEX =
            "select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true);";

    /**
     * Of each shard the first messages by number from a floor on. All that is visible to this one snapshot, and nothing else: a
     * number is never taken to mean that those below it are known. A shard whose epoch has moved on is left out; one without messages
     * gives one row.
     */
    static final String READ = BY_INDEX + """
        select asked.shard, asked.epoch, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon,
            pg_postmaster_start_time() as server, 'semel.outbox'::regclass::oid::bigint as incarnation, waiting.*
        from unnest(?::int[], ?::bigint[], ?::bigint[]) as asked (shard, epoch, floor)
        join semel.relay_shard as leased on leased.shard = asked.shard and leased.epoch = asked.epoch
        left join lateral (
            select id, appended_at, message_id, topic, key, type, headers, payload,
                key is not null and exists (
                    select from semel.parked_key as parked
                    where parked.shard = outbox.shard and parked.topic = outbox.topic and parked.key = outbox.key
                ) as behind_parked
            from semel.outbox
            where outbox.shard = asked.shard and outbox.id >= asked.floor {holds}
            order by outbox.id
            limit ?
        ) as waiting on true
        order by asked.shard, waiting.id
        """;

    static final String NO_HOLDS = "";

    static final String HOLDS = """
        and outbox.id <> all (?::bigint[])
        and (outbox.key is null or (outbox.topic, outbox.key) not in (
            select held.topic, held.key from unnest(?::text[], ?::text[]) as held (topic, key)))
        """;

    /** Which of these leases are the newest; until this transaction ends, nobody else can take their shards. */
    private static final String MINE = """
        mine as (
            select leased.shard, leased.epoch from semel.relay_shard as leased
            join unnest(?::int[], ?::bigint[]) as named (shard, epoch)
                on named.shard = leased.shard and named.epoch = leased.epoch
            order by leased.shard
            for share of leased
        )
        """;

    /**
     * Deletes messages of one shard, if it is still leased. A statement that joins the messages with a list could not be trusted: when
     * the planner believes that the table is empty, as it is after many a vacuum, it goes through all of the table for each of the list.
     * So it is told the shard and the numbers outright, for which there is but one index and one way to use it.
     */
    private static final String DELETE_OF_SHARD = """
        delete from semel.outbox
            where outbox.shard = (select mine.shard from mine where mine.shard = ?) and outbox.id = any (?::bigint[])
                and outbox.message_id = any (?::uuid[])
        """;

    /** Of each shard its number and those of its messages follow the leases as parameters. */
    static String deleteSent(int shards) {
        return BY_INDEX + "with " + MINE + eachShard(shards, DELETE_OF_SHARD) + " select shard, epoch from mine";
    }

    private static String eachShard(int shards, String delete) {
        return IntStream.range(0, shards)
                .mapToObj(shard -> ", gone_" + shard + " as (" + delete + ")")
                .collect(Collectors.joining());
    }

    private static final String PARK_OF_SHARD = DELETE_OF_SHARD + """
            and (outbox.id <> all (?::bigint[]) or exists (
                select from semel.parked_key as parked
                where parked.shard = outbox.shard and parked.topic = outbox.topic and parked.key = outbox.key))
            returning *
        """;

    /**
     * A tail is moved only while its key is parked: else the row stays where it is, and is read again. Whoever drops letters or
     * chooses those of a redrive locks their shards against this; what they did before is seen, for the shards are locked by a
     * statement ahead of the one that looks.
     */
    static String park(int shards) {
        String went = IntStream.range(0, shards)
                .mapToObj(shard -> "select * from gone_" + shard)
                .collect(Collectors.joining(" union all "));
        return PARK.replace("{shards}", eachShard(shards, PARK_OF_SHARD)).replace("{went}", went);
    }

    private static final String PARK = """
        select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true), (
            select count(*) from (
                select from semel.relay_shard where shard = any (?::int[]) order by shard for share) as locked);
        with
        """ + MINE + """
        , named as (
            select * from unnest(?::int[], ?::bigint[], ?::text[], ?::text[], ?::int[])
                as named (shard, id, kind, error, attempts)
        ) {shards}, gone as (
            select went.*, named.kind, named.error, named.attempts
            from ({went}) as went join named on named.shard = went.shard and named.id = went.id
        ), newly_parked as (
            insert into semel.parked_key (shard, topic, key)
            select distinct shard, topic, key from gone where key is not null
            on conflict do nothing
        ), moved as (
            insert into semel.dead_letter
                (id, appended_at, attempts, shard, due, message_id, topic, key, type, headers, payload, kind, error)
            select id, appended_at, attempts, shard,
                kind = 'tail' and not exists (
                    select from semel.dead_letter as ahead
                    where ahead.topic = gone.topic and ahead.key = gone.key and not ahead.due),
                message_id, topic, key, type, headers, payload, kind, error
            from gone
        )
        select shard, epoch from mine
        """;

    static final String DUE_LETTERS = """
        select letter.shard, letter.id, letter.attempts, appended_at, message_id, letter.topic, letter.key, type,
            headers, payload, false as behind_parked
        from semel.dead_letter as letter
        join unnest(?::int[], ?::bigint[]) as asked (shard, epoch) on asked.shard = letter.shard
        join semel.relay_shard as leased on leased.shard = asked.shard and leased.epoch = asked.epoch
        where letter.due and not exists (
            select from semel.dead_letter as ahead
            where ahead.topic = letter.topic and ahead.key = letter.key and ahead.id < letter.id and not ahead.due)
        order by letter.id
        limit ?
        """;

    /** What was not taken is not due any more, and neither is anything else of its key. */
    static final String SETTLE_LETTERS = "with " + MINE + """
        , refused as (
            select * from unnest(?::int[], ?::bigint[], ?::text[], ?::text[], ?::int[])
                as refused (shard, id, kind, error, attempts)
        ), heads as (
            select head.id, head.topic, head.key from semel.dead_letter as head join refused on refused.id = head.id
            where head.shard in (select shard from mine)
        ), stopped as (
            update semel.dead_letter as letter set
                due = false,
                kind = coalesce((select kind from refused where refused.id = letter.id), letter.kind),
                error = coalesce((select error from refused where refused.id = letter.id), letter.error),
                attempts = coalesce((select attempts from refused where refused.id = letter.id), letter.attempts)
            where letter.due and (letter.id in (select id from heads)
                or (letter.topic, letter.key) in (select topic, key from heads where key is not null))
        ), gone as (
            delete from semel.dead_letter
            where id = any (?::bigint[]) and shard in (select shard from mine)
            returning id, shard, topic, key
        ), released as (
            delete from semel.parked_key as parked
            using (select distinct shard, topic, key from gone where key is not null) as freed
            where parked.shard = freed.shard and parked.topic = freed.topic and parked.key = freed.key
                and not exists (
                    select from semel.dead_letter as left_over
                    where left_over.topic = freed.topic and left_over.key = freed.key
                        and left_over.id not in (select id from gone))
        )
        select shard, epoch from mine
        """;

    static final String SEEN = """
        insert into semel.relay (name, seen_at) values (?, clock_timestamp())
        on conflict (name) do update set seen_at = excluded.seen_at
        """;

    static final String GIVE_BACK = """
        update semel.relay_shard as leased set leased_until = '-infinity', relay = null
        from unnest(?::int[], ?::bigint[]) as named (shard, epoch)
        where leased.shard = named.shard and leased.epoch = named.epoch
        """;

    static final String RENEW = """
        with mine as (
            select leased.shard from semel.relay_shard as leased
            join unnest(?::int[], ?::bigint[]) as named (shard, epoch)
                on named.shard = leased.shard and named.epoch = leased.epoch
            order by leased.shard
            for update of leased
        )
        update semel.relay_shard as leased
        set leased_until = clock_timestamp() + ? * interval '1 millisecond'
        from mine where leased.shard = mine.shard
        returning leased.shard, leased.epoch
        """;

    /** As many shards as each of the relays that are alive should have. */
    static final String SHARE = """
        select ceil(semel.shard_count()::numeric / greatest(1, count(*)))::int from semel.relay
        where seen_at > clock_timestamp() - ? * interval '1 millisecond'
        """;

    /** Two relays that take at once take different shards. */
    static final String TAKE = """
        update semel.relay_shard as leased set
            epoch = leased.epoch + 1, relay = ?, leased_until = clock_timestamp() + ? * interval '1 millisecond'
        where leased.shard in (
            select shard from semel.relay_shard
            where leased_until < clock_timestamp()
            order by shard
            limit ?
            for update skip locked)
        returning leased.shard, leased.epoch
        """;

    static final String FORGET_RELAYS = """
        delete from semel.relay where seen_at < clock_timestamp() - ? * interval '1 millisecond'
        """;

    static final String LEAVE = """
        with gone as (delete from semel.relay where name = ?)
        update semel.relay_shard set leased_until = '-infinity', relay = null where relay = ?
        """;

    /** Nobody who draws a number from now on draws one that is not above it. */
    static final String LAST_NUMBER = "select case when is_called then last_value else 0 end from semel.outbox_id";

    /** A number above those of all transactions that had one before; and which server said so, of which table. */
    static final String TRANSACTION_NUMBER = """
        select pg_current_xact_id()::text::bigint as xid, pg_postmaster_start_time() as server,
            'semel.outbox'::regclass::oid::bigint as incarnation
        """;

    static final String STATUS = BY_INDEX + """
        select
            (select count(*) from (select from semel.outbox limit ?) as counted) as waiting,
            (select extract(epoch from clock_timestamp() - min(first.appended_at)) * 1000 from semel.relay_shard as shard
                cross join lateral (select appended_at from semel.outbox where outbox.shard = shard.shard
                    order by outbox.id limit 1) as first)::bigint as oldest,
            (select count(*) from semel.parked_key) as parked,
            (select count(*) from (select from semel.dead_letter limit ?) as counted) as dead
        """;

    static final String SHARDS = """
        select shard, epoch, relay,
            case when leased_until > clock_timestamp()
                then extract(epoch from leased_until - clock_timestamp()) * 1000 else 0 end::bigint as left_over
        from semel.relay_shard order by shard
        """;

    /**
     * The oldest transaction that has a number, in whatever database of the server, or is prepared; or that sees the past of this
     * database, where nothing that was deleted since can be removed.
     */
    static final String BLOCKER = """
        select what, since from (
            select 'process ' || pid || ' of user ' || coalesce(usename, '?') || ' in database ' || coalesce(datname, '?')
                    || case when coalesce(application_name, '') = '' then '' else ' (' || application_name || ')' end
                    || ', ' || coalesce(state, '?') as what,
                (extract(epoch from clock_timestamp() - xact_start) * 1000)::bigint as since
            from pg_stat_activity
            where pid <> pg_backend_pid() and (backend_xid is not null or
                (backend_xmin is not null and datname = current_database() and backend_type = 'client backend'))
            union all
            select 'prepared transaction ' || gid || ' of user ' || owner || ' in database ' || database,
                (extract(epoch from clock_timestamp() - prepared) * 1000)::bigint
            from pg_prepared_xacts
        ) as open where since > ? order by since desc limit 1
        """;
}
