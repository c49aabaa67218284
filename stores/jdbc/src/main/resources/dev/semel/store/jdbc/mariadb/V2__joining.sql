-- Where a transaction reserves the key that it joins: it inserts a row and deletes it again, and until it ends nobody else can insert
-- one with this id. So whoever looks in here finds nothing.
create table if not exists semel_joining (
    id binary(16) not null primary key
) engine = InnoDB row_format = dynamic;
