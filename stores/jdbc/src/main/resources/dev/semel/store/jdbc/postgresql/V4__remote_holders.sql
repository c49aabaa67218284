-- Whether the holder of a key is outside the processes of Semel, as a client of the service API is. Null for most keys:
-- then it takes no room in a row. Adding it rewrites no rows.
alter table semel_key add column remote boolean;
