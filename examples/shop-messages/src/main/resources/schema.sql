create table if not exists shop_order (
    number   bigint generated always as identity primary key,
    order_id text   not null,
    cents    bigint not null
);
