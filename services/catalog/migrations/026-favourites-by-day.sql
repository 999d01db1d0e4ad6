set local lock_timeout = '2s';
-- However long it takes. Until the commit favourites are read and not changed.
set local statement_timeout = 0;

-- For the figures of a day.
create index favourite_day on favourite (created_at);
