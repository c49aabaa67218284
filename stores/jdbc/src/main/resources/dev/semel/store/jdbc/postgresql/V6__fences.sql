-- The highest fencing token that has passed, for each resource of each fence. An entry is one write over one row, which touches
-- no index: nothing of what it changes is indexed, and there is room left in the page.
create table semel_fence (
    token      bigint      not null,
    entered_at timestamptz not null,
    fence      text        not null,
    resource   text        not null,
    primary key (fence, resource)
) with (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0.02
);
