-- Where webhooks go to.
create table semel.webhook_endpoint (
    id              uuid        primary key,
    created_at      timestamptz not null,
    tenant          text        not null, -- gets the messages whose header "tenant" is this; empty: all messages
    url             text        not null,
    topics          text[]      not null, -- empty: all; one that ends with * is a beginning
    types           text[]      not null,
    in_order        boolean     not null,
    timeout_ms      int         not null check (timeout_ms between 100 and 60000),
    max_age_seconds bigint      not null check (max_age_seconds between 60 and 2592000), -- a delivery that is older is not tried again
    disabled_at     timestamptz,          -- null: enabled
    disabled_reason text,
    failures        int         not null default 0, -- in a row
    failing_since   timestamptz,
    open_until      timestamptz           -- the circuit breaker is open; then one delivery is tried. Null: it is closed
);

-- The keys that an endpoint's webhooks are signed with: all that have not expired.
create table semel.webhook_secret (
    id         uuid        primary key,
    endpoint   uuid        not null references semel.webhook_endpoint on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz,
    sealed     boolean     not null, -- encrypted with the key of the relays
    secret     bytea       not null
);

create index webhook_secret_of_endpoint on semel.webhook_secret (endpoint);

-- What is delivered, once for all endpoints.
create table semel.webhook_message (
    message_id  uuid        primary key,
    stored_at   timestamptz not null,
    appended_at timestamptz not null,
    topic       text        not null,
    key         text,
    type        text        not null,
    headers     text,       -- a line name:value each
    payload     bytea       not null
);

alter table semel.webhook_message alter column payload set storage external;

create index webhook_message_stored on semel.webhook_message (stored_at);

-- One message on its way to one endpoint. A row stays for days after its end, so that a message that the relay hands over twice is
-- not delivered anew.
--
-- Whoever sends one takes a lease: lease is counted up, and due_at is when the lease ends. Only who has the newest lease writes down
-- what became of it.
create table semel.webhook_delivery (
    message_id uuid        not null references semel.webhook_message,
    endpoint   uuid        not null references semel.webhook_endpoint on delete cascade,
    seq        bigint      not null generated always as identity, -- the order of messages with one topic and key
    created_at timestamptz not null,
    topic      text        not null,
    key        text,
    state      text        not null default 'open', -- open, delivered, dead, dropped
    due_at     timestamptz not null,
    leased     boolean     not null default false,
    lease      bigint      not null default 0,
    attempts   int         not null default 0,
    ended_at   timestamptz,
    kind       text,       -- one word for what went wrong last
    error      text,
    primary key (message_id, endpoint)
);

create index webhook_delivery_due on semel.webhook_delivery (endpoint, due_at) where state = 'open';

-- What holds back later messages of its key, where the order is kept.
create index webhook_delivery_of_key on semel.webhook_delivery (endpoint, topic, key, seq)
    where state in ('open', 'dead') and key is not null;

create index webhook_delivery_ended on semel.webhook_delivery (ended_at) where ended_at is not null;

create index webhook_delivery_dead on semel.webhook_delivery (endpoint) where state = 'dead';

-- For lists, and for the removal of an endpoint.
create index webhook_delivery_seq on semel.webhook_delivery (seq);

create index webhook_delivery_of_endpoint on semel.webhook_delivery (endpoint, seq);

-- Every attempt, for a while.
create table semel.webhook_attempt (
    id         bigint      primary key generated always as identity,
    at         timestamptz not null,
    message_id uuid        not null,
    endpoint   uuid        not null,
    attempt    int         not null,
    status     int,        -- null: no answer
    took_ms    int         not null,
    error      text,
    body       text        -- the beginning of an answer that was no success
);

create index webhook_attempt_of_message on semel.webhook_attempt (message_id, endpoint);

create index webhook_attempt_at on semel.webhook_attempt (at);

-- The newest lease of each shard of the outbox: who has an older one writes no deliveries any more.
create table semel.webhook_shard (
    shard int    primary key,
    epoch bigint not null
);
