-- What ends a doubt: the memo of the holder, when the next probe may start and how many there were, and the key's
-- history. Null where there is nothing to tell, as for most keys. Adding such columns rewrites no rows.
alter table semel_key
    add column probe_at timestamptz,
    add column probes   int,
    add column memo     bytea,
    add column history  bytea;
