-- Pays an order and tells others, in one transaction:  psql -v order=order-1 -f outbox.sql postgresql://…
\set ON_ERROR_STOP on
begin;
create table if not exists orders (id text primary key, state text not null);
insert into orders values (:'order', 'paid') on conflict (id) do update set state = 'paid';
select semel.append(
    topic => 'orders', key => :'order', type => 'order.paid',
    payload => convert_to(json_build_object('order', :'order')::text, 'UTF8'),
    headers => '{"content-type": "application/json"}') as message_id;
commit;
