-- Messages that are to be sent. Rows are appended and deleted, never changed: that a row is there means that its message waits. A number
-- (id) only tells the order: a transaction that draws a low one may commit late, so what is below a number is never taken to be known.
--
-- Times are microseconds since 1970, so that no time zone of a session matters; text is its UTF-8, so that no collation takes two keys for
-- one. The rows of a shard lie beside each other in their order, so what waits in it is read without sorting. The second index is what
-- auto_increment needs.
create table if not exists semel_outbox (
    shard       smallint       not null,
    id          bigint         not null auto_increment,
    appended_at bigint         not null,
    message_id  binary(16)     not null,
    topic       varbinary(249) not null,
    message_key varbinary(512),
    type        varbinary(255) not null,
    headers     mediumblob,    -- a line name:value each
    payload     mediumblob     not null,
    primary key (shard, id),
    key semel_outbox_id (id)
) engine = InnoDB row_format = dynamic;

-- Who sends the messages of a shard, and until when. The epoch grows with every new lease, and every statement of a relay names its own.
create table if not exists semel_relay_shard (
    shard        smallint not null primary key,
    epoch        bigint   not null default 0,
    leased_until bigint   not null default 0,
    relay        varbinary(512)
) engine = InnoDB;

insert into semel_relay_shard (shard) values {shards} on duplicate key update shard = semel_relay_shard.shard;

-- A relay writes here before it sends what it has read: see MariaDbOutboxReader.
create table if not exists semel_relay_flush (
    shard   smallint not null primary key,
    flushes bigint   not null default 0
) engine = InnoDB;

insert into semel_relay_flush (shard) values {shards} on duplicate key update shard = semel_relay_flush.shard;

-- The relays that are alive, so that they share the shards evenly.
create table if not exists semel_relay (
    name    varbinary(512) not null primary key,
    seen_at bigint         not null
) engine = InnoDB row_format = dynamic;

-- Messages that their broker does not take, and those behind them. They keep the number that they had, which is their order.
create table if not exists semel_dead_letter (
    id          bigint         not null primary key,
    appended_at bigint         not null,
    parked_at   bigint         not null,
    attempts    int            not null,
    shard       smallint       not null,
    due         tinyint        not null default 0, -- 1: to be sent again
    redrive     bigint,
    message_id  binary(16)     not null,
    topic       varbinary(249) not null,
    message_key varbinary(512),
    type        varbinary(255) not null,
    headers     mediumblob,
    payload     mediumblob     not null,
    kind        varbinary(255) not null, -- one word for what went wrong; tail: it only waits behind another
    error       mediumblob     not null,
    key semel_dead_letter_of_key (topic, message_key, id),
    key semel_dead_letter_due (due, shard, id),
    key semel_dead_letter_of_message (message_id),
    key semel_dead_letter_of_redrive (redrive)
) engine = InnoDB row_format = dynamic;

-- Keys with a dead letter: what is appended for one later goes behind it.
create table if not exists semel_parked_key (
    shard       smallint       not null,
    topic       varbinary(249) not null,
    message_key varbinary(512) not null,
    parked_at   bigint         not null,
    primary key (shard, topic, message_key)
) engine = InnoDB row_format = dynamic;
