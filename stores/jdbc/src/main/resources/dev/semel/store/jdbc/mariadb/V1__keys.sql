-- Which scripts have run.
create table if not exists semel_schema (
    version     int primary key,
    migrated_at timestamp not null default current_timestamp
) engine = InnoDB;

-- One row per key. Times are microseconds since 1970, so that no time zone of a session matters; text is its UTF-8, so
-- that no collation takes two keys for one. A time that a state does not have is null: lease_until while held, replay_until
-- while done, forget_at while done, spent or free, doubt_since while in doubt.
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
    memo         mediumblob,
    history      mediumblob,
    outcome      longblob,
    -- The queue of doubts, and how many keys a tenant has.
    index semel_key_in_doubt (doubt_since, id),
    index semel_key_tenant (tenant)
) engine = InnoDB row_format = dynamic;
