-- Dead letters that are sent again on somebody's word. It works through all that match, a few at a time: of each key the first letter
-- is looked at, and all behind it go with it.
create table semel.redrive (
    id            bigint      generated always as identity primary key,
    begun_at      timestamptz not null default clock_timestamp(),
    ended_at      timestamptz,
    advanced_at   timestamptz not null default '-infinity',
    state         text        not null default 'running', -- running, paused, cancelled, done
    by_whom       text        not null,
    reason        text        not null,
    note          text,                                   -- why it paused by itself
    topic         text,
    key           text,
    type          text,
    kind          text,
    error         text,                                   -- a part of the error
    parked_after  timestamptz,
    parked_before timestamptz,
    per_second    int         not null,
    canary        int         not null,                   -- so many first; the others when all of these were sent
    chosen        bigint      not null default 0
);

alter table semel.dead_letter add column redrive bigint;

create index dead_letter_of_redrive on semel.dead_letter (redrive) where redrive is not null;

-- Who did what to dead letters. Rows are only added.
create table semel.dead_letter_audit (
    at         timestamptz not null default clock_timestamp(),
    by_whom    text        not null,
    action     text        not null, -- redrive, pause, resume, cancel, drop
    redrive    bigint,
    message_id uuid,
    topic      text,
    reason     text        not null
);

create index dead_letter_audit_of_message on semel.dead_letter_audit (message_id);
