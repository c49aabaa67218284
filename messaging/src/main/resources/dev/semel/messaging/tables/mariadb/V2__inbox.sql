-- Which messages a consumer has had. Two tables take turns: ids are written into the one of this turn, and looked for in the one of the turn
-- before too. When all in that one are old enough, the next turn begins with a new table, and it is dropped. So an id is kept for the time
-- asked for at least, for twice that at most, and nothing is deleted row by row. A table's name has its turn in it and is never used again: who
-- drops one late drops nothing else.
create table if not exists semel_inbox_0 (
    consumer   varbinary(255)  not null,
    message_id varbinary(1024) not null,
    times      bigint          not null default 0, -- how often it came again
    primary key (consumer, message_id)
) engine = InnoDB row_format = dynamic;

create table if not exists semel_inbox_1 like semel_inbox_0;

-- The turn that it is, and since when. Who receives messages has it locked until the transaction ends, so turns do not change meanwhile.
create table if not exists semel_inbox_turn (
    one      tinyint not null primary key,
    turn     bigint  not null,
    began_at bigint  not null
) engine = InnoDB;

insert into semel_inbox_turn (one, turn, began_at) values (1, 1, timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)))
    on duplicate key update one = semel_inbox_turn.one;
