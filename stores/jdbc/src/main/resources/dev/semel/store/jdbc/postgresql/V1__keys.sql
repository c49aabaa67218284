-- Which scripts have run.
create table semel_schema (
    version     int primary key,
    migrated_at timestamptz not null default now()
);

-- One row per key. Columns of fixed width come first, for then the row needs no padding between them.
-- A time that a state does not have is null: lease_until while held, replay_until while done, forget_at while
-- done, spent or free, doubt_since while in doubt.
create table semel_key (
    token        bigint      not null,
    revision     bigint      not null,
    since        timestamptz not null,
    lease_until  timestamptz,
    replay_until timestamptz,
    forget_at    timestamptz,
    doubt_since  timestamptz,
    attempt      int         not null,
    state        smallint    not null, -- 0 free, 1 held, 2 done, 3 in doubt, 4 spent
    id           bytea       not null,
    fingerprint  bytea       not null,
    tenant       text        not null,
    operation    text        not null,
    key          text        not null,
    holder       text,
    reason       text,
    outcome      bytea,
    primary key (id)
) with (
    -- Every key is written twice. With room left in its page, the second write touches no index.
    fillfactor = 70,
    -- A fifth of a hundred million dead rows, the default, is too many to wait for.
    autovacuum_vacuum_scale_factor = 0.02
);

-- The queue of doubts. Neither its column nor its condition changes from held to done, so that this write stays
-- free of index work.
create index semel_key_in_doubt on semel_key (id) where doubt_since is not null;
