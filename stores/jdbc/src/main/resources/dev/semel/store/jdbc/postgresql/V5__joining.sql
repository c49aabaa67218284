-- Reserves a key for the transaction that calls this, until it ends, and gives what is recorded of the key by then: a row, or none.
-- While another transaction has it, waits for that one to end, so many milliseconds at most; if it did not, gives a row of state -1.
-- A wait that is over does not abort the transaction: the block below is undone by itself, and with it the setting. A
-- statement_timeout would, so the wait ends before it. The row is of after the wait, for every statement of a function sees what was
-- committed before it. Where a transaction goes on seeing what was there when it began (repeatable read), a key that had to be waited
-- for counts as not joined: what the other did to it is not to be seen, and must not be done again.
-- An outcome that is still given needs no reserving, for it does not change: whoever was given one holds up nobody.
create function semel_join(key_id bytea, lock_id bigint, patience int) returns setof semel_key
    language plpgsql as
$$
declare
    busy      semel_key;
    usual     text;
    time_left bigint;
begin
    if not pg_try_advisory_xact_lock(lock_id) then
        return query select * from semel_key
            where id = key_id and state = 2 and replay_until > clock_timestamp() + interval '1 second';
        if found then
            return;
        end if;
        busy.state := -1;
        if patience = 0 then
            return next busy;
            return;
        end if;
        begin
            usual := current_setting('lock_timeout');
            time_left := extract(epoch from current_setting('statement_timeout')::interval) * 750;
            if time_left > 0 then
                patience := least(patience, time_left);
            end if;
            perform set_config('lock_timeout', patience::text, true);
            perform pg_advisory_xact_lock(lock_id);
            perform set_config('lock_timeout', usual, true);
            if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
                raise lock_not_available;
            end if;
        exception
            when lock_not_available or deadlock_detected then
                return next busy;
                return;
        end;
    end if;
    return query select * from semel_key where id = key_id;
end
$$;

-- A row in here makes its transaction fail at the commit, and says why. It never stays. Rolling back to a savepoint from before
-- undoes the row together with what it stands for. (An error raised at once would not do: some drivers then take a commit for
-- one, although the server rolled back.)
create table semel_rollback_only (reason text not null);

create function semel_refuse_commit() returns trigger
    language plpgsql as
$$
begin
    raise exception 'semel: this transaction was rolled back: %', new.reason;
end
$$;

create constraint trigger semel_refuse_commit after insert on semel_rollback_only
    deferrable initially deferred for each row execute function semel_refuse_commit();

-- Also in sessions that are told to leave triggers out.
alter table semel_rollback_only enable always trigger semel_refuse_commit;
