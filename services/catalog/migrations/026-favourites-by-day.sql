-- outside a transaction
drop index concurrently if exists favourite_day;

-- For the figures of a day.
create index concurrently favourite_day on favourite (created_at);
