package dev.semel.messaging.tables;

import dev.semel.messaging.broker.ShardLease;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * What is said to MariaDB and MySQL about the outbox. Which index is used is said too: tables whose rows come and go look empty to
 * the planner, and a statement that reads all of one waits for everybody who appends.
 */
final class MariaDbOutboxSql {
    private MariaDbOutboxSql() {}

    static final String APPEND =
            "insert into semel_outbox (shard, appended_at, message_id, topic, message_key, type, headers, payload)"
                    + " values ";

    static final String APPENDED = "(?, " + MariaDbStatement.NOW + ", ?, ?, ?, ?, ?, ?)";

    /** A row for each lease that is the newest, also when nothing waits in its shard. */
    static final String NEWEST = """
        select leased.shard, leased.epoch, null as id, null as appended_at, null as message_id, null as topic,
            null as message_key, null as type, null as headers, null as payload, 0 as behind_parked
        from semel_relay_shard as leased where
        """;

    /** The first of a shard, in the order of their numbers. */
    static final String WAITING = """
         union all (
            select leased.shard, leased.epoch, waiting.id, waiting.appended_at, waiting.message_id, waiting.topic,
                waiting.message_key, waiting.type, waiting.headers, waiting.payload,
                waiting.message_key is not null and exists (
                    select 1 from semel_parked_key as parked
                    where parked.shard = waiting.shard and parked.topic = waiting.topic
                        and parked.message_key = waiting.message_key) as behind_parked
            from semel_relay_shard as leased
            straight_join semel_outbox as waiting force index (primary) on waiting.shard = leased.shard
            where\
        """ + " ";

    static String is(ShardLease lease) {
        return "(leased.shard = " + lease.shard() + " and leased.epoch = " + lease.epoch() + ")";
    }

    static String are(Collection<ShardLease> leases) {
        return leases.isEmpty()
                ? "1 = 0"
                : leases.stream().map(MariaDbOutboxSql::is).collect(Collectors.joining(" or ", "(", ")"));
    }

    /** Which of these leases are the newest. */
    static String mine(Collection<ShardLease> leases) {
        return "select leased.shard, leased.epoch from semel_relay_shard as leased where " + are(leases)
                + " order by leased.shard";
    }

    /** Numbers that are given as JSON. */
    private static final String SENT =
            "json_table(?, '$[*]' columns (shard int path '$[0]', id bigint path '$[1]')) as sent ";

    /** Until this statement is over nobody can take the shards over: their rows are locked by reading them for a change. */
    static String deleteSent(Collection<ShardLease> leases) {
        return "delete waiting from " + SENT
                + "straight_join semel_relay_shard as leased force index (primary) on leased.shard = sent.shard "
                + "straight_join semel_outbox as waiting force index (primary)"
                + " on waiting.shard = sent.shard and waiting.id = sent.id where " + are(leases);
    }

    /**
     * Messages that become dead letters; their words are hexadecimal, so that no character set of a session matters. Not of the type
     * text: MariaDB 11.4 forgets such a column of a json_table in a join.
     */
    private static final String NAMED = """
        json_table(?, '$[*]' columns (shard int path '$[0]', id bigint path '$[1]', attempts int path '$[2]',
            kind varchar(1024) character set ascii path '$[3]',
            error varchar(32768) character set ascii path '$[4]')) as named
        straight_join semel_outbox as waiting force index (primary)
            on waiting.shard = named.shard and waiting.id = named.id
        """;

    /** A tail is moved only while its key is parked: else the row stays where it is, and is read again. */
    static final String BURY = """
        insert into semel_dead_letter (id, appended_at, parked_at, attempts, shard, due, message_id, topic, message_key,
            type, headers, payload, kind, error)
        select waiting.id, waiting.appended_at, {now}, named.attempts, waiting.shard,
            unhex(named.kind) = 'tail' and not exists (
                select 1 from semel_dead_letter as ahead
                where ahead.topic = waiting.topic and ahead.message_key = waiting.message_key and ahead.due = 0),
            waiting.message_id, waiting.topic, waiting.message_key, waiting.type, waiting.headers, waiting.payload,
            unhex(named.kind), unhex(named.error)
        from {named}
        where unhex(named.kind) <> 'tail' or exists (
            select 1 from semel_parked_key as parked
            where parked.shard = waiting.shard and parked.topic = waiting.topic
                and parked.message_key = waiting.message_key)
        """.replace("{now}", MariaDbStatement.NOW).replace("{named}", NAMED);

    static final String PARK_KEYS = """
        insert into semel_parked_key (shard, topic, message_key, parked_at)
        select distinct waiting.shard, waiting.topic, waiting.message_key, {now} from {named}
        straight_join semel_dead_letter as letter force index (primary) on letter.id = waiting.id
        where waiting.message_key is not null
        on duplicate key update parked_at = semel_parked_key.parked_at
        """.replace("{now}", MariaDbStatement.NOW).replace("{named}", NAMED);

    /** What is a dead letter now. */
    static final String DELETE_BURIED = """
        delete waiting from {named}
        straight_join semel_dead_letter as letter force index (primary) on letter.id = waiting.id
        """.replace("{named}", NAMED);

    static String dueLetters(Collection<ShardLease> leases, int most) {
        return """
            select letter.shard, letter.id, letter.attempts, letter.appended_at, letter.message_id, letter.topic,
                letter.message_key, letter.type, letter.headers, letter.payload
            from semel_dead_letter as letter join semel_relay_shard as leased on leased.shard = letter.shard
            where letter.due = 1 and {are} and not exists (
                select 1 from semel_dead_letter as ahead
                where ahead.topic = letter.topic and ahead.message_key = letter.message_key and ahead.id < letter.id
                    and ahead.due = 0)
            order by letter.id limit\
            """.replace("{are}", are(leases)) + " " + most;
    }

    static final String STOP_LETTER = """
        update semel_dead_letter set due = 0, kind = ?, error = ?, attempts = ? where id = ? and due = 1
        """;

    static final String STOP_KEY =
            "update semel_dead_letter set due = 0 where due = 1 and topic = ? and message_key = ?";

    static final String DELETE_LETTERS = """
        delete letter from json_table(?, '$[*]' columns (id bigint path '$[0]')) as sent
        straight_join semel_dead_letter as letter force index (primary) on letter.id = sent.id
        """;

    /** A key without letters is not parked any more. */
    static final String RELEASE_KEY = """
        delete from semel_parked_key where shard = ? and topic = ? and message_key = ? and not exists (
            select 1 from semel_dead_letter as letter where letter.topic = ? and letter.message_key = ?)
        """;

    static final String SEEN = "insert into semel_relay (name, seen_at) values (?, " + MariaDbStatement.NOW
            + ") on duplicate key update seen_at = " + MariaDbStatement.NOW;

    static final String GIVE_BACK =
            "update semel_relay_shard as leased set leased.leased_until = 0, leased.relay = null where ";

    static final String RENEW =
            "update semel_relay_shard as leased set leased.leased_until = " + MariaDbStatement.NOW + " + ? where ";

    static final String FORGET_RELAYS = "delete from semel_relay where seen_at < " + MariaDbStatement.NOW + " - ?";

    static final String ALIVE = "select count(*) from semel_relay where seen_at > " + MariaDbStatement.NOW + " - ?";

    /** Two relays that take at once take different shards, and what is being acknowledged is taken later. */
    static final String FREE = "select shard from semel_relay_shard where leased_until < " + MariaDbStatement.NOW
            + " order by shard limit ? for update skip locked";

    /** The epoch is one that no other relay ever had, also when the database forgets its last moments in a crash. */
    static final String TAKE = "update semel_relay_shard set epoch = greatest(epoch + 1, " + MariaDbStatement.NOW
            + "), relay = ?, leased_until = " + MariaDbStatement.NOW + " + ? where shard in ";

    static final String LEAVE = "delete from semel_relay where name = ?";

    static final String FREE_ALL = "update semel_relay_shard set leased_until = 0, relay = null where relay = ?";
}
