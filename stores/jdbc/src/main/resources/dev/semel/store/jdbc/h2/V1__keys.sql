-- Which scripts have run.
create table if not exists semel_schema (
    version     int primary key,
    migrated_at timestamp default current_timestamp not null
);

-- One row per key. Times are microseconds since 1970; text is its UTF-8, which no collation changes.
create table if not exists semel_key (
    id           binary(16)      not null primary key,
    token        bigint          not null,
    revision     bigint          not null,
    since        bigint          not null,
    lease_until  bigint,
    replay_until bigint,
    forget_at    bigint,
    doubt_since  bigint,
    probe_at     bigint,
    attempt      int             not null,
    probes       int,
    state        tinyint         not null, -- 0 free, 1 held, 2 done, 3 in doubt, 4 spent, 5 held and may run again
    remote       tinyint,
    fingerprint  varbinary(65)   not null,
    tenant       varbinary(1024) not null,
    operation    varbinary(1024) not null,
    client_key   varbinary(1024) not null,
    holder       varbinary(255),
    reason       blob,
    memo         blob,
    history      blob,
    outcome      blob
);
