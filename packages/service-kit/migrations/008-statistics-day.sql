set local lock_timeout = '2s';

-- What a service counted on a UTC day that is over: written once, an hour after its end (database/statistics.ts).
create table statistics_day (day date primary key, figures jsonb not null);
