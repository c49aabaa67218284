-- Which messages a consumer has had. Two tables take turns: ids are written into the current one, and looked for in both. When all in the
-- older one are old enough, it is emptied at once and becomes the current one. So an id is kept for the time asked for at least, for
-- twice that at most, and nothing is deleted row by row. A partition by time would not do: the same id on the next day would be new.
create table semel.inbox_0 (
    consumer   text not null,
    message_id text not null,
    primary key (consumer, message_id)
);

create table semel.inbox_1 (like semel.inbox_0 including all);

-- How often the tables have changed turns; odd: inbox_1 is the current one. A sequence, because it is read as it is now also by a
-- transaction that otherwise sees the past.
create sequence semel.inbox_turn minvalue 0 start 0 cache 1;

select nextval('semel.inbox_turn');

create table semel.inbox_window (
    began_at timestamptz not null
);

insert into semel.inbox_window values (clock_timestamp());

-- Whether this consumer has the message for the first time, as a part of the caller's transaction. While another open transaction has
-- it, waits for that one to end. Never aborts the transaction of the caller, but under repeatable read, as every write there.
create function semel.first_time(consumer text, message_id text) returns boolean language plpgsql as
$$
declare
    ids text[];
begin
    ids := semel.first_times(first_time.consumer, array[first_time.message_id]);
    return cardinality(ids) = 1;
end
$$;

-- Those of these messages that this consumer has for the first time. One and the same id given twice counts once.
create function semel.first_times(consumer text, message_ids text[]) returns text[] language plpgsql as
$$
declare
    firsts  text[];
    turn    bigint;
    current text;
    former  text;
begin
    if first_times.consumer is null or first_times.consumer = '' or octet_length(first_times.consumer) > 255 then
        raise exception 'semel: the name of a consumer has 1 to 255 bytes' using errcode = 'invalid_parameter_value';
    elsif exists (select from unnest(first_times.message_ids) as id where id is null or id = '' or octet_length(id) > 1024) then
        raise exception 'semel: the id of a message has 1 to 1024 bytes' using errcode = 'invalid_parameter_value';
    end if;
    -- Until this transaction ends, the tables do not change turns.
    perform pg_advisory_xact_lock_shared(358183953774);
    select last_value into turn from semel.inbox_turn;
    current := 'semel.inbox_' || turn % 2;
    former := 'semel.inbox_' || (turn + 1) % 2;
    firsts := first_times.message_ids;
    if current_setting('transaction_isolation') <> 'read committed' then
        -- A look would not see what was committed since this transaction began; a write meets it, and then fails.
        execute format('with fresh as (insert into %s select distinct $1, id from unnest($2) as id order by id on conflict do nothing
            returning message_id) select array_agg(message_id) from fresh', former) into firsts using consumer, firsts;
    end if;
    execute format('with fresh as (insert into %s select distinct $1, id from unnest($2) as id where $3 or not exists (
            select from %s as former where former.consumer = $1 and former.message_id = id)
            order by id on conflict do nothing returning message_id)
        select coalesce(array_agg(message_id), array[]::text[]) from fresh', current, former)
        into firsts using consumer, firsts, current_setting('transaction_isolation') <> 'read committed';
    return firsts;
end
$$;

-- Lets the tables change turns when the current one has been so for this long. Does nothing while transactions with messages are open,
-- and waits for them only moments; to be called now and then. Tells whether it did.
create function semel.expire_inbox(keep interval) returns boolean language plpgsql as
$$
declare
    began timestamptz;
begin
    select began_at into began from semel.inbox_window;
    if began > clock_timestamp() - keep then
        return false;
    end if;
    begin
        perform set_config('lock_timeout', '100ms', true);
        perform pg_advisory_xact_lock(358183953774);
        select began_at into began from semel.inbox_window for update;
        if began > clock_timestamp() - keep then
            return false;
        end if;
        execute format('truncate semel.inbox_%s', ((select last_value from semel.inbox_turn) + 1) % 2);
    exception when lock_not_available then
        return false;
    end;
    update semel.inbox_window set began_at = clock_timestamp();
    perform nextval('semel.inbox_turn');
    return true;
end
$$;
