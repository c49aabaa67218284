-- Messages that are to be sent. Rows are appended and deleted, never changed: there is no column for a state.
--
-- A number (id) is drawn only after the transaction has got its own number (xid): the relay relies on it when it decides below which
-- id nothing can appear any more. Hence the case expression, which is evaluated in its order, and the sequence without a cache.
create sequence semel.outbox_id cache 1;

create table semel.outbox (
    xid         xid8        not null default pg_current_xact_id(),
    id          bigint      not null default (case when pg_current_xact_id() >= '0'::xid8 then nextval('semel.outbox_id') end),
    appended_at timestamptz not null default clock_timestamp(),
    shard       smallint    not null,
    message_id  uuid        not null,
    topic       text        not null,
    key         text,
    type        text        not null,
    headers     text,       -- a line name:value each
    payload     bytea       not null,
    primary key (shard, id)
) with (
    -- Rows come and go quickly. What is known of their number is wrong a moment later, so it is not asked for often; the dead ones are
    -- cleaned up often, in small pieces.
    autovacuum_analyze_threshold = 1000000000,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 20000,
    autovacuum_vacuum_insert_threshold = -1
);

-- A payload is never searched and rarely compresses well: it is neither tried nor undone.
alter table semel.outbox alter column payload set storage external;

-- Into how many shards messages are divided by their key. Fixed for the life of the tables, for a key must not change its shard.
create function semel.shard_count() returns int language sql immutable as $$ select {shards} $$;

create function semel.shard_of(key text, message_id uuid) returns smallint language sql immutable as
$$
    select (('x' || substr(md5(coalesce(key, message_id::text)), 1, 7))::bit(28)::int % {shards})::smallint
$$;

-- Who sends the messages of a shard, and until when. The epoch grows with every new lease, and every statement of a relay names its own.
create table semel.relay_shard (
    shard        smallint    primary key,
    epoch        bigint      not null default 0,
    leased_until timestamptz not null default '-infinity',
    relay        text
) with (fillfactor = 20);

insert into semel.relay_shard (shard) select generate_series(0, {shards} - 1);

-- The relays that are alive, so that they share the shards evenly.
create table semel.relay (
    name    text        primary key,
    seen_at timestamptz not null
) with (fillfactor = 20);

-- Messages that their broker does not take, and those behind them. They keep the number that they had, which is their order.
create table semel.dead_letter (
    id          bigint      primary key,
    appended_at timestamptz not null,
    parked_at   timestamptz not null default clock_timestamp(),
    attempts    int         not null,
    shard       smallint    not null,
    due         boolean     not null default false, -- to be sent again
    message_id  uuid        not null,
    topic       text        not null,
    key         text,
    type        text        not null,
    headers     text,
    payload     bytea       not null,
    kind        text        not null, -- one word for what went wrong; tail: it only waits behind another
    error       text        not null
);

alter table semel.dead_letter alter column payload set storage external;

create index dead_letter_of_key on semel.dead_letter (topic, key, id);

create index dead_letter_due on semel.dead_letter (shard, id) where due;

-- Keys with a dead letter: what is appended for one later goes behind it.
create table semel.parked_key (
    shard     smallint    not null,
    topic     text        not null,
    key       text        not null,
    parked_at timestamptz not null default clock_timestamp(),
    primary key (shard, topic, key)
);

-- A UUID of version 7 (RFC 9562): it begins with the time in milliseconds.
create function semel.new_message_id() returns uuid language sql volatile as
$$
    select encode(
        set_bit(set_bit(
            overlay(uuid_send(gen_random_uuid())
                placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
            52, 1), 53, 1),
        'hex')::uuid
$$;

-- Appends a message in the transaction of the caller, and gives its id. What is not allowed is refused before anything is written;
-- MessageLimits of the library checks the same: change both together.
create function semel.append(topic text, key text, type text, payload bytea, headers jsonb default null) returns uuid
    language plpgsql as
$$
declare
    message_id uuid := semel.new_message_id();
    lines      text;
begin
    if append.topic is null or append.topic !~ '^[A-Za-z0-9][A-Za-z0-9._:/-]{0,248}$' then
        raise exception 'semel: a topic begins with a letter or digit and goes on with letters, digits and . _ : / - (249 at most)'
            using errcode = 'invalid_parameter_value';
    elsif append.key = '' or octet_length(append.key) > 512 or append.key ~ '[\x01-\x1f\x7f]' then
        raise exception 'semel: a key has 1 to 512 bytes and no control characters; null for none'
            using errcode = 'invalid_parameter_value';
    elsif append.type is null or append.type = '' or octet_length(append.type) > 255 or append.type ~ '[\x01-\x1f\x7f]' then
        raise exception 'semel: a type has 1 to 255 bytes and no control characters'
            using errcode = 'invalid_parameter_value';
    elsif append.payload is null or octet_length(append.payload) > 1048576 then
        raise exception 'semel: a payload has at most 1048576 bytes, and is not null'
            using errcode = 'invalid_parameter_value';
    end if;
    if append.headers is not null then
        if jsonb_typeof(append.headers) <> 'object'
            or (select count(*) from jsonb_object_keys(append.headers)) > 64
            or exists (
                select from jsonb_each(append.headers) as header
                where jsonb_typeof(header.value) <> 'string'
                    or header.key !~ '^[A-Za-z0-9!#$%&''*+.^_`|~-]{1,128}$'
                    or lower(header.key) ~ '^(ce_|ce-|cloudevents|semel-|webhook-|nats-)'
                    or octet_length(header.value #>> '{}') > 4096
                    or header.value #>> '{}' ~ '[\x01-\x1f\x7f]')
        then
            raise exception 'semel: headers are an object of at most 64 strings; a name is a token of HTTP of at most 128 characters '
                'that does not begin with ce-, ce_, cloudEvents, semel-, webhook- or nats-; a value has at most 4096 bytes and no '
                'control characters' using errcode = 'invalid_parameter_value';
        end if;
        select string_agg(header.key || ':' || header.value, E'\n' order by header.key collate "C") into lines
            from jsonb_each_text(append.headers) as header;
    end if;
    insert into semel.outbox (shard, message_id, topic, key, type, headers, payload) values (
        semel.shard_of(append.key, message_id), message_id, append.topic, append.key, append.type, lines, append.payload);
    return message_id;
end
$$;
