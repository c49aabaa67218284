-- Dead letters that are sent again on somebody's word. It works through all that match, a few at a time: of each key the first letter
-- is looked at, and all behind it go with it.
create table if not exists semel_redrive (
    id            bigint         not null auto_increment primary key,
    begun_at      bigint         not null,
    ended_at      bigint,
    advanced_at   bigint         not null default 0,
    state         varbinary(10)  not null default 'running', -- running, paused, cancelled, done
    by_whom       blob           not null,
    reason        blob           not null,
    note          blob,          -- why it paused by itself
    topic         blob,
    message_key   blob,
    type          blob,
    kind          blob,
    error         blob,          -- a part of the error
    parked_after  bigint,
    parked_before bigint,
    per_second    int            not null,
    canary        int            not null, -- so many first; the others when all of these were sent
    chosen        bigint         not null default 0
) engine = InnoDB row_format = dynamic;

-- Who did what to dead letters. Rows are only added.
create table if not exists semel_dead_letter_audit (
    id         bigint         not null auto_increment primary key,
    at         bigint         not null,
    by_whom    blob           not null,
    action     varbinary(10)  not null, -- redrive, pause, resume, cancel, drop
    redrive    bigint,
    message_id binary(16),
    topic      varbinary(249),
    reason     blob           not null,
    key semel_dead_letter_audit_of_message (message_id)
) engine = InnoDB row_format = dynamic;
